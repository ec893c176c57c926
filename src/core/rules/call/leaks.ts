// What a failure should not reveal: stacks, paths on the server's disk, secrets. Something that the caller sent, or
// that the server shows openly elsewhere, is not a leak.

import { codeIn } from "../../text/source-code.ts";
import { findSecrets } from "../../text/redact/find-secrets.ts";

/** A longer text is the output of a program; leaks come early in it. */
const MAX_LENGTH = 20_000;

// Only blanks before the first word: with \s, every empty line of many would be searched to the last one.
/** A line of a stack: of JavaScript, Java or .NET, of Python, of Go, of Rust. */
const frames: readonly RegExp[] = [
  /^[ \t]*at (?:async |new )?[^\n]{0,300}?\(?(?:[^\s()]{1,300}:\d+(?::\d+)?|native|<anonymous>)\)?$/m,
  /^[ \t]*at [\w$.<>`]{1,200}\([^\n)]{0,300}\)(?: in [^\n]{1,300}:line \d+)?\s*$/m,
  /^[ \t]*File "[^"\n]{1,300}", line \d+/m,
  /^Traceback \(most recent call last\):/m,
  /^goroutine \d+ \[[a-z ]{1,40}/m,
  /^stack backtrace:/m,
];

/** The first line of a stack in a text. */
export function stackIn(text: string): string | undefined {
  const searched = text.slice(0, MAX_LENGTH);
  for (const frame of frames) {
    const [found] = frame.exec(searched) ?? [];
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

function withoutStack(text: string): string {
  const isFrame = (line: string): boolean => frames.some((frame) => frame.test(line));
  return text
    .slice(0, MAX_LENGTH)
    .split("\n")
    .filter((line) => !isFrame(line))
    .join("\n");
}

/** A path from the root of a disk, below a usual folder; never a part of a URL or of a longer word. */
const absolute =
  /(?<![\w:/.~@-])(?:file:\/\/)?(?:\/(?:home|Users|root|usr|opt|var|srv|app|workspace|tmp|private|mnt|etc|nix|builds?)\/[\w.@+~-]+(?:\/[\w.@+~-]+)*|[A-Za-z]:\\{1,2}(?:[\w .@+~-]+\\{1,2})*[\w.@+~-]+)/g;

/** The paths in a text; a text that is only a path may be relative. */
function pathsOf(text: string): readonly string[] {
  const found = text.match(absolute) ?? [];
  return [text.trim(), ...found].map((path) => path.replace(/\/+$/, "").replace(/^\.\//, ""));
}

/** Whether the caller knows a path: it named the path, a folder above it, or the end of it. */
function isKnown(path: string, known: readonly string[]): boolean {
  return known.some((text) => {
    if (text.includes(path)) return true;
    return pathsOf(text).some(
      (named) =>
        named !== "" && ((named.length > 2 && path.startsWith(`${named}/`)) || path.endsWith(`/${named}`)),
    );
  });
}

/** A path of the server's machine in a failure that is in none of the `known` texts. */
export function pathIn(text: string, known: () => readonly string[]): string | undefined {
  for (const [found] of withoutStack(text).matchAll(absolute)) {
    const path = found.replace(/^file:\/\//, "").replace(/[.,:;]+$/, "");
    if (!isKnown(path, known())) return path;
  }
  return undefined;
}

/** Source code in a failure that is in none of the `known` texts. */
export function sourceIn(text: string, known: () => readonly string[]): string | undefined {
  const code = codeIn(text.slice(0, MAX_LENGTH))?.trim();
  return code === undefined || known().some((each) => each.includes(code)) ? undefined : code;
}

/** The kind of a secret in a failure that is in none of the `known` texts. */
export function secretIn(text: string, known: () => readonly string[]): string | undefined {
  const searched = text.slice(0, MAX_LENGTH);
  const found = findSecrets(searched).find(({ start, end }) => {
    const secret = searched.slice(start, end);
    return !known().some((each) => each.includes(secret));
  });
  return found?.label;
}
