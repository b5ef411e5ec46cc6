async def handle(payload, bot):
    """Posts a message when a workflow's result on a branch differs from the last one, which bot.state remembers."""
    run = payload["workflow_run"]
    if payload["action"] != "completed" or run["conclusion"] not in ("success", "failure"):
        return None
    where = payload["repository"]["full_name"]
    key = f"{where} {run['head_branch']} {run['name']}"
    before = bot.state.get(key, "success")
    bot.state[key] = run["conclusion"]
    if run["conclusion"] == before:
        return None
    word = "is fixed" if before == "failure" else "is broken"
    return f"[{where}] {run['name']} on {run['head_branch']} {word}: {run['html_url']}"
