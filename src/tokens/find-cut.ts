/** How far back a cut is looked for before the stretch is made longer instead. */
const LOOK_BACK = 1024;

/**
 * Where a text can be cut near `near` so that the tokens of both sides add up: behind a letter or digit that something
 * else follows. No piece of either encoding reaches over that place, whatever stands around it. The end of the text
 * if there is no such place.
 */
export function findCut(text: string, near: number): number {
  const least = Math.max(1, near - LOOK_BACK);
  for (let index = near; index >= least; index--) if (isCut(text, index)) return index;
  for (let index = near + 1; index < text.length; index++) if (isCut(text, index)) return index;
  return text.length;
}

function isCut(text: string, index: number): boolean {
  return endsPiece(text.charCodeAt(index)) && isPlainLetter(text.charCodeAt(index - 1));
}

/** ASCII that is no letter, no digit and no apostrophe (an ending such as 's may follow that), and CJK punctuation. */
function endsPiece(code: number): boolean {
  if (code >= 0x80) return (code >= 0x3000 && code <= 0x3002) || code === 0xff0c;
  return code !== 0x27 && !isPlainLetter(code);
}

/** ASCII letters and digits, and the large blocks of letters without case: kana, Chinese, Korean. */
function isPlainLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || isAsciiLetter(code | 0x20);
  return (
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3)
  );
}

function isAsciiLetter(lowerCased: number): boolean {
  return lowerCased >= 0x61 && lowerCased <= 0x7a;
}
