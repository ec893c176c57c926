const ATTACHED = /^(?:\p{M}|\p{EMod}|\u200c|\u200d)/u;
const ZERO_WIDTH_JOINER = 0x200d;
/** As far as a cut moves back: a cluster longer than this is no word anybody wrote. */
const MAX_STEPS = 64;

/**
 * The last place at or before `at`, and after `floor`, where a text can be cut; without one nearby, where at least no
 * surrogate pair is split.
 */
export function safeCut(text: string, at: number, floor: number): number {
  for (let cut = at; cut > floor && cut > at - MAX_STEPS; cut--) if (canCut(text, cut)) return cut;
  if (!isInsidePair(text, at)) return at;
  return at - 1 > floor ? at - 1 : at + 1;
}

/** Whether a text can be cut: not inside a surrogate pair, not before a mark, not in a joined emoji. */
export function canCut(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  // No mark comes before U+0300, and nothing comes after the end.
  if (!(next >= 0x0300)) return true;
  if (isInsidePair(text, at) || text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return false;
  return !ATTACHED.test(next >= 0xd800 && next <= 0xdfff ? text.slice(at, at + 2) : text.charAt(at));
}

function isInsidePair(text: string, at: number): boolean {
  const low = text.charCodeAt(at);
  const high = text.charCodeAt(at - 1);
  return low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff;
}
