import { ContractError } from "../contract/contract-error.ts";
import { formatPlace, type Place } from "./place.ts";

/** One thing that is wrong with the configuration; the message says what, then what to do. */
export interface ConfigProblem {
  readonly place: Place;
  readonly path: string;
  readonly message: string;
}

// A file of 1 MiB can hold far more mistakes than anyone reads.
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
  return new ContractError("INVALID_CONFIG", `${summary}${rest}`, { problems: listed }, options);
}

function describeProblem({ place, message }: ConfigProblem): string {
  return `${formatPlace(place)}: ${message}`;
}
