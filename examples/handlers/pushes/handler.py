async def handle(payload, bot):
    """One line for each push to a branch; tags and deleted branches are ignored."""
    kind, _, branch = payload["ref"].removeprefix("refs/").partition("/")
    if kind != "heads" or payload["deleted"]:
        return None
    commits = payload["commits"]
    who, where = payload["pusher"]["name"], payload["repository"]["full_name"]
    if not commits:
        return f"[{where}] {who} created the branch {branch}: {payload['compare']}"
    count = "1 commit" if len(commits) == 1 else f"{len(commits)} commits"
    subject = commits[-1]["message"].partition("\n")[0]
    return f"[{where}] {who} pushed {count} to {branch}: {subject} {payload['compare']}"
