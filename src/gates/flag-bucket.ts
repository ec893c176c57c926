/** A stable number from 0 to 99 for a flag and a client: FNV-1a over UTF-8, then murmur3's finaliser. */
export function flagBucket(flag: string, client: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(`${flag}:${client}`)) hash = Math.imul(hash ^ byte, 0x01000193);
  // FNV-1a alone spreads its last bytes poorly: clients that differ in a final digit would share a bucket.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 100;
}
