import { ContractError } from "../../core/contract/contract-error.ts";

/** Where a setting or a problem was written: a position in a file, or an environment variable. */
export type ConfigPlace =
  | { readonly file: string; readonly line?: number; readonly column?: number }
  | { readonly variable: string };

/** `file:line:column`, as far as known, or the name of the variable. */
export function formatPlace(place: ConfigPlace): string {
  if ("variable" in place) return place.variable;
  return [place.file, place.line, place.column].filter((part) => part !== undefined).join(":");
}

/** Sorts places in one file from top to bottom. */
export function comparePlaces(left: ConfigPlace, right: ConfigPlace): number {
  if ("variable" in left || "variable" in right) return 0;
  return (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}

/** `file:line`, or the name of the variable. */
export function formatLine(place: ConfigPlace): string {
  if ("variable" in place) return place.variable;
  return place.line === undefined ? place.file : `${place.file}:${place.line}`;
}

export type Locate = (offset: number) => ConfigPlace;

/** Turns offsets in a text into line and column, both from 1; columns are UTF-16 units, as in editors. */
export function createLocator(text: string, file: string): Locate {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\r|\n/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** One problem in the configuration; the message says what is wrong, then what to do. */
export interface ConfigProblem {
  readonly place: ConfigPlace;
  readonly path: string;
  readonly message: string;
}

// A file of 1 MiB can contain far more mistakes than anyone reads.
const MAX_LISTED = 50;

/** The error for one or more problems: the first is the message, all are in `details.problems`. */
export function invalidConfig(problems: readonly ConfigProblem[], options?: ErrorOptions): ContractError {
  const [first] = problems;
  const more = problems.length - 1;
  const summary = first === undefined ? "The configuration is invalid." : describeProblem(first);
  const rest = more > 0 ? ` (${more} more ${more === 1 ? "problem" : "problems"} in details.problems)` : "";
  const listed = problems
    .slice(0, MAX_LISTED)
    .map(({ place, path, message }) => ({ ...place, path, message }));
  const error = new ContractError("INVALID_CONFIG", `${summary}${rest}`, { problems: listed }, options);
  // The error usually ends the server, and a stack trace of the reading code says nothing about the file.
  error.stack = `${error.name}: ${error.message}`;
  return error;
}

function describeProblem({ place, message }: ConfigProblem): string {
  return `${formatPlace(place)}: ${message}`;
}
