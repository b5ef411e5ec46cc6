// Reduces a long failing story: parts are left out as long as the rest still fails.

/** `fails` is called repeatedly, until nothing more can be left out or the time is over. */
export async function shrink<T>(
  story: readonly T[],
  fails: (shorter: readonly T[]) => Promise<boolean>,
  ms = 30_000,
): Promise<readonly T[]> {
  const until = performance.now() + ms
  let kept = story
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end: what came last needs the least of what came before.
    for (let end = kept.length; end > 0 && performance.now() < until; end -= size) {
      const without = [...kept.slice(0, Math.max(0, end - size)), ...kept.slice(end)]
      if (await fails(without)) kept = without
    }
  }
  return kept
}
