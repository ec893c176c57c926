const ATTACHED = /^[\p{M}\p{EMod}\u200c\u200d\ufe00-\ufe0f]/u;
const ZERO_WIDTH_JOINER = 0x200d;
/** As far as a cut moves back: a cluster longer than this is no word anybody wrote. */
const MAX_STEPS = 64;

/**
 * The last place at or before `at`, and after `floor`, where a text can be cut: not inside a surrogate pair, not
 * before a mark or in a joined emoji. Without such a place, where no pair is split; at least one character after
 * `floor`.
 */
export function safeCut(text: string, at: number, floor: number): number {
  let cut = at;
  for (let step = 0; step < MAX_STEPS && cut > floor + 1; step++) {
    if (!isInsidePair(text, cut) && !isInsideCluster(text, cut)) return cut;
    cut--;
  }
  if (!isInsidePair(text, at)) return at;
  return at - 1 > floor ? at - 1 : at + 1;
}

function isInsidePair(text: string, at: number): boolean {
  const low = text.charCodeAt(at);
  if (!(low >= 0xdc00 && low <= 0xdfff)) return false;
  const high = text.charCodeAt(at - 1);
  return high >= 0xd800 && high <= 0xdbff;
}

function isInsideCluster(text: string, at: number): boolean {
  const next = text.charCodeAt(at);
  // The first mark is U+0300: what comes before needs no look at properties.
  if (!(next >= 0x0300)) return false;
  if (text.charCodeAt(at - 1) === ZERO_WIDTH_JOINER) return true;
  return ATTACHED.test(next >= 0xd800 && next <= 0xdfff ? text.slice(at, at + 2) : text.charAt(at));
}
