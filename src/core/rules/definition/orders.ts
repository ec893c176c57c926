// Finds sentences in a definition that tell the model what to do beyond the use of the tool: the marks of a poisoned
// description. It promises to report only wording that no honest description needs, so it misses much. Honest are "call
// this before any other tool", "do not tell the user to type done" and "never without informing the user": descriptions
// of real servers have them.

interface Order {
  readonly what: string;
  readonly pattern: RegExp;
  /** Words in the same sentence that reverse the meaning. */
  readonly unless?: RegExp | undefined;
}

const MAX_READ = 20_000;
const MAX_SENTENCE = 2_000;

const orders: readonly Order[] = [
  {
    what: "sets other instructions aside",
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass)\b(?: \w+){0,2} (?:previous|prior|above|earlier|preceding|system)(?: \w+){0,2} (?:instructions?|prompts?|rules|directions|guidelines)\b/,
    unless: /\b(?:never|not|cannot)\b.*\b(?:ignore|disregard|forget|override|bypass)\b/,
  },
  {
    what: "keeps something from the user",
    pattern:
      /\b(?:do not|don't|never|must not) (?:tell the user (?:that you|you|about this|this|anything)|let the user know|(?:mention|tell|show|reveal) (?:this|it|that|any of this) to the user|inform the user (?:of|about|that))\b|\bwithout (?:telling|informing|notifying|alerting) the user\b|\b(?:hide|conceal) (?:this|it) from the user\b/,
    unless: /\b(?:never|not|cannot|don't|avoid)\b.*\bwithout (?:telling|informing|notifying|alerting)\b/,
  },
  {
    what: "poses as a message of the system",
    pattern:
      /<\/?(?:important|system|system-reminder|secret)>|<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?inst\]|\[system override\]/,
  },
  {
    what: "asks for what is private",
    pattern:
      /\b(?:read|open|load|fetch|cat)\b.{0,60}(?:~\/\.ssh|\bid_rsa|\.aws\/credentials|mcp\.json|\/etc\/passwd).{0,120}\b(?:pass|send|include|put|append|provide)\b|\b(?:include|pass|send|reveal|print|repeat) your (?:\w+ )?system prompt\b/,
    unless: /\b(?:never|do not|don't|must not)\b/,
  },
];

/** The sentences of a text; a dot inside a path does not end one. Only the beginning of a long one is read. */
function sentencesOf(text: string): readonly string[] {
  const plain = text.slice(0, MAX_READ).normalize("NFKC").toLowerCase();
  return plain
    .split(/(?<=[.!?])\s+|\n\s*\n/)
    .map((sentence) => sentence.slice(0, MAX_SENTENCE).replaceAll(/\s+/g, " "));
}

/** What a text orders the model to do, in words, each order once; the first 20,000 characters are read. */
export function findOrders(text: string): readonly string[] {
  const sentences = sentencesOf(text);
  return orders.flatMap(({ what, pattern, unless }) => {
    const found = sentences
      .filter((sentence) => unless?.test(sentence) !== true)
      .flatMap((sentence) => pattern.exec(sentence)?.[0] ?? []);
    return found[0] === undefined ? [] : [`It ${what}: "${found[0].slice(0, 100)}"`];
  });
}
