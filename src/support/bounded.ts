/** Sets an entry of a map, and drops the oldest ones beyond `max`. */
export function setBounded<K, V>(
  map: Map<K, V>,
  key: K,
  value: V,
  max: number,
): void {
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) {
      return;
    }
    map.delete(oldest);
  }
}
