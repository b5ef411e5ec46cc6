// Maps and sets that are mostly empty: all empty ones share one, and each that gets an entry becomes a map of its own. With ten
// thousand connections the empty ones would take more memory than the contents of the others.

/** Shared by all empty ones, so never written to: the functions below make a map or a set of its own for the first entry. */
export const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>()
export const NO_MEMBERS: ReadonlySet<never> = new Set<never>()

/** The map with the entry, to replace `map`. */
export function put<K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> {
  const own = (map === NO_ENTRIES ? new Map<K, V>() : map) as Map<K, V>
  return own.set(key, value)
}

export function take<K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> {
  const own = map as Map<K, V>
  return own.delete(key) && own.size === 0 ? NO_ENTRIES : map
}

/** The set with the value, to replace `set`. */
export function include<V>(set: ReadonlySet<V>, value: V): ReadonlySet<V> {
  const own = (set === NO_MEMBERS ? new Set<V>() : set) as Set<V>
  return own.add(value)
}

export function exclude<V>(set: ReadonlySet<V>, value: V): ReadonlySet<V> {
  const own = set as Set<V>
  return own.delete(value) && own.size === 0 ? NO_MEMBERS : set
}
