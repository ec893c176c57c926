/** What one of several things that share a room takes at least, and what it would take whole. */
export interface Claim {
  readonly floor: number;
  readonly demand: number;
}

/**
 * Shares a room fairly: everyone gets the floor, the small are served whole, and what they leave is split evenly
 * among the large. Undefined when there is no room for the floors.
 */
export function shareRoom(claims: readonly Claim[], room: number): number[] | undefined {
  const shares = claims.map(({ floor }) => floor);
  let left = room - shares.reduce((sum, share) => sum + share, 0);
  if (left < 0) return undefined;
  const wants = claims
    .map(({ floor, demand }, index) => ({ index, want: Math.max(0, demand - floor) }))
    .sort((a, b) => a.want - b.want);
  for (const [place, { index, want }] of wants.entries()) {
    const share = Math.min(want, Math.floor(left / (wants.length - place)));
    shares[index] = (shares[index] ?? 0) + share;
    left -= share;
  }
  return shares;
}
