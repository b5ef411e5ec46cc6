// Maps and sets that most have nothing in: all those share one, and whoever gets something gets a map of its own. With ten thousand
// connections the empty ones would take more than all that is in the others.

/** Shared by all who have nothing, so nobody writes to them: the functions below give who gets something a map or a set of its own. */
export const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>()
export const NO_MEMBERS: ReadonlySet<never> = new Set<never>()

/** The map that has it, to stand where `map` stood. */
export function put<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  const own = (map === NO_ENTRIES ? new Map<K, V>() : map) as Map<K, V>
  return own.set(key, value)
}

export function take<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const own = map as Map<K, V>
  return own.delete(key) && own.size === 0 ? NO_ENTRIES : map
}

/** The set that has it, to stand where `set` stood. */
export function include<V>(set: ReadonlySet<V>, value: V): ReadonlySet<V> {
  const own = (set === NO_MEMBERS ? new Set<V>() : set) as Set<V>
  return own.add(value)
}

export function exclude<V>(set: ReadonlySet<V>, value: V): ReadonlySet<V> {
  const own = set as Set<V>
  return own.delete(value) && own.size === 0 ? NO_MEMBERS : set
}
