// The wait that a text asks for. Servers have no field for it, so they say it in words.

const waits: readonly RegExp[] = [
  /\b(?:retry|try again|resets?|reset|wait|available)(?:[ -](?:after|in|for))?["']?[:=]? ?(?:about |approximately )?(\d{1,6}(?:\.\d+)?) ?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?:(\d{1,2})[sm]?)?\b/i,
  /\bretry[-_ ]?after["']?[:=]? ?(\d{1,6})\b/i,
];

const MAX_WAIT_SECONDS = 86_400;

function secondsOf(amount: string, unit: string, rest: string): number {
  const number = Number(amount);
  if (/^ms|^mil/i.test(unit)) return number / 1_000;
  if (/^h/i.test(unit)) return number * 3_600 + Number(rest) * 60;
  return /^m/i.test(unit) ? number * 60 + Number(rest) : number;
}

/** The wait that a text asks for: "retry after 30s", "try again in 2 minutes", "reset in 12m34s". */
export function waitIn(text: string): number | undefined {
  for (const pattern of waits) {
    const [, amount, unit = "s", rest = "0"] = pattern.exec(text) ?? [];
    if (amount === undefined) continue;
    const seconds = Math.ceil(secondsOf(amount, unit, rest));
    return seconds > 0 && seconds <= MAX_WAIT_SECONDS ? seconds : undefined;
  }
  return undefined;
}
