import { ContractError } from "../../contract/contract-error.ts";

export type PathStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "any-name" }
  | { readonly kind: "item"; readonly index: number }
  | { readonly kind: "any-item" };

interface Source {
  readonly path: string;
  readonly option: string;
  at: number;
}

const INDEX = /^(?:0|[1-9]\d{0,14})$/;

/** Parses a filter path such as `tasks[*].id`; `option` names its list in the error for a bad path. */
export function parsePath(path: string, option = "path"): PathStep[] {
  const source: Source = { path, option, at: 0 };
  if (path === "$" || path.startsWith("$.") || path.startsWith("$[")) {
    throw badPath(source, 0, `"$" is not needed: a path starts at data. Quote a key of that name: ["$"]`);
  }
  const steps = [path.startsWith("[") ? readBracket(source) : readName(source)];
  while (source.at < path.length) steps.push(readNext(source));
  return steps;
}

function readNext(source: Source): PathStep {
  const char = source.path[source.at];
  if (char === "[") return readBracket(source);
  if (char !== ".") throw badPath(source, source.at, `"." or "[" is expected here`);
  source.at++;
  return readName(source);
}

function readName(source: Source): PathStep {
  const { path, at: start } = source;
  if (isQuote(path[start])) return { kind: "name", name: readQuoted(source) };
  while (source.at < path.length && !".[]".includes(path.charAt(source.at))) source.at++;
  const name = path.slice(start, source.at);
  if (name === "*") return { kind: "any-name" };
  if (name === "") throw badPath(source, start, "a name is missing here");
  if (name === "**")
    throw badPath(source, start, `"**" does not exist: excludeFields drops a name at every depth`);
  if (name.includes("*")) {
    throw badPath(source, start + name.indexOf("*"), `"*" stands alone: quote a key that contains it`);
  }
  if (name !== name.trim())
    throw badPath(source, start, "a name has a blank at its edge: remove it, or quote the key");
  return { kind: "name", name };
}

function readBracket(source: Source): PathStep {
  const { path, at: start } = source;
  source.at++;
  if (isQuote(path[source.at])) {
    const name = readQuoted(source);
    if (path[source.at] !== "]") throw badPath(source, source.at, `"]" is missing after the quoted key`);
    source.at++;
    return { kind: "name", name };
  }
  const end = path.indexOf("]", start);
  if (end === -1) throw badPath(source, start, `"[" is never closed`);
  const inside = path.slice(start + 1, end);
  source.at = end + 1;
  if (inside === "*") return { kind: "any-item" };
  if (INDEX.test(inside)) return { kind: "item", index: Number(inside) };
  throw badPath(source, start, `brackets hold "*", an index such as 3, or a quoted key`);
}

/** A backslash takes the next character as it is. */
function readQuoted(source: Source): string {
  const { path, at: start } = source;
  const quote = path[start];
  let name = "";
  for (source.at++; source.at < path.length; source.at++) {
    const char = path.charAt(source.at);
    if (char === quote) {
      source.at++;
      return name;
    }
    if (char === "\\") source.at++;
    name += char === "\\" ? path.charAt(source.at) : char;
  }
  throw badPath(source, start, "the quoted key is never closed");
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'";
}

function badPath({ path, option }: Source, position: number, problem: string): ContractError {
  const message = `Bad path ${JSON.stringify(path)} in ${option}, position ${position}: ${problem}.`;
  return new ContractError("INVALID_OPTION", message, { option, path, position });
}
