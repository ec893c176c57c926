// Tells whether a regular expression can take time that doubles with each character: a repeated group whose parts
// can share one text in many ways, such as (a+)+ or (\w*\s?)*. It promises to fire only on those, so a group with a
// part that every turn must have, such as ([a-z]+-)*, is left alone. It reads the pattern and never runs it.

interface Part {
  readonly canBeEmpty: boolean;
  /** Repeated without an upper end, itself or all that is in it. */
  readonly isEndless: boolean;
  readonly isSlow: boolean;
}

interface Reader {
  readonly text: string;
  at: number;
}

const MAX_PATTERN = 2_000;
const MAX_DEPTH = 50;

export function isSlowPattern(pattern: string): boolean {
  if (pattern.length > MAX_PATTERN) return false;
  return readChoices({ text: pattern, at: 0 }, 0).isSlow;
}

interface Group {
  readonly canBeEmpty: boolean;
  readonly isSlow: boolean;
  /** One turn of the group can be split in more than one way between turns. */
  readonly isSplittable: boolean;
}

/** Alternatives up to the end of the group. */
function readChoices(reader: Reader, depth: number): Group {
  const choices: Group[] = [readSequence(reader, depth)];
  while (reader.text[reader.at] === "|") {
    reader.at += 1;
    choices.push(readSequence(reader, depth));
  }
  return {
    canBeEmpty: choices.some(({ canBeEmpty }) => canBeEmpty),
    isSlow: choices.some(({ isSlow }) => isSlow),
    isSplittable: choices.some(({ isSplittable }) => isSplittable),
  };
}

function readSequence(reader: Reader, depth: number): Group {
  const parts: Part[] = [];
  while (reader.at < reader.text.length && !"|)".includes(reader.text[reader.at] ?? "")) {
    const part = readPart(reader, depth);
    if (part !== undefined) parts.push(part);
  }
  const endless = parts.filter(({ isEndless }) => isEndless);
  const others = parts.filter(({ isEndless }) => !isEndless);
  return {
    canBeEmpty: parts.every(({ canBeEmpty }) => canBeEmpty),
    isSlow: parts.some(({ isSlow }) => isSlow),
    // With one endless part that must be there, or none, and nothing else that must: each turn can end anywhere.
    isSplittable:
      endless.length > 0 &&
      others.every(({ canBeEmpty }) => canBeEmpty) &&
      endless.filter(({ canBeEmpty }) => !canBeEmpty).length <= 1,
  };
}

/** One atom with its quantifier; undefined for what takes no text, such as ^ and $. */
function readPart(reader: Reader, depth: number): Part | undefined {
  const start = reader.text[reader.at];
  let group: Group | undefined;
  let isAssertion = start === "^" || start === "$";
  if (start === "(") {
    const opening =
      /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(reader.text.slice(reader.at, reader.at + 80))?.[0] ?? "(";
    reader.at += opening.length;
    isAssertion = /[=!]$/.test(opening);
    // Deeper than anybody writes by hand: read as something that must be there, which is never slow.
    group = depth >= MAX_DEPTH ? skipGroup(reader) : readChoices(reader, depth + 1);
    reader.at += 1;
  } else if (start === "[") readClass(reader);
  else {
    const escape = reader.text[reader.at + 1] ?? "";
    if (start === "\\") isAssertion = escape === "b" || escape === "B";
    reader.at += start === "\\" ? 2 : 1;
  }
  const { isOptional, isEndless } = readQuantifier(reader);
  if (isAssertion) return undefined;
  const isSlow = (group?.isSlow ?? false) || (isEndless && (group?.isSplittable ?? false));
  const holdsEndless = isEndless || (group?.isSplittable ?? false);
  return { canBeEmpty: isOptional || (group?.canBeEmpty ?? false), isEndless: holdsEndless, isSlow };
}

function skipGroup(reader: Reader): Group {
  reader.at = reader.text.length;
  return { canBeEmpty: false, isSlow: false, isSplittable: false };
}

function readClass(reader: Reader): void {
  reader.at += 1;
  while (reader.at < reader.text.length && reader.text[reader.at] !== "]") {
    reader.at += reader.text[reader.at] === "\\" ? 2 : 1;
  }
  reader.at += 1;
}

function readQuantifier(reader: Reader): { isOptional: boolean; isEndless: boolean } {
  const rest = reader.text.slice(reader.at, reader.at + 30);
  const [all = "", mark = ""] = /^([*+?]|\{\d+(?:,\d*)?\})\??/.exec(rest) ?? [];
  reader.at += all.length;
  const isEndless = mark === "*" || mark === "+" || /^\{\d+,\}$/.test(mark);
  return { isOptional: mark === "*" || mark === "?" || mark.startsWith("{0"), isEndless };
}
