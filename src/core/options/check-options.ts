import * as z from "zod/mini";
import { ContractError } from "../contract/contract-error.ts";
import { type Problem, explainIssues, formatPath } from "./explain-issues.ts";

/** Enough to fix them all at once; nonsense options can have any number of problems. */
const MAX_LISTED = 50;

/** The error for one or more problems: the first is the message, all are in `details.problems`. */
export function refuseOptions(owner: string, problems: readonly Problem[]): never {
  const [first] = problems;
  const more = problems.length - 1;
  const rest = more > 0 ? ` (${more} more ${more === 1 ? "problem" : "problems"} in details.problems)` : "";
  const listed = problems
    .slice(0, MAX_LISTED)
    .map(({ path, message }) => ({ option: formatPath(path), message }));
  throw new ContractError(
    "INVALID_OPTION",
    `${owner}: ${first?.message ?? "The options are wrong."}${rest}`,
    {
      option: formatPath(first?.path ?? []),
      problems: listed,
    },
  );
}

/**
 * Refuses wrong options: a program without types would fail on them later, or they would be ignored silently. `owner`
 * says whose options they are, `whole` names all of them. Nothing is changed or copied.
 */
export function checkOptions(
  owner: string,
  schema: z.ZodMiniType,
  options: unknown,
  whole = "What it is given",
): void {
  const { error } = z.safeParse(schema, options);
  if (error === undefined) return;
  refuseOptions(owner, explainIssues(error.issues, { schema, value: options, whole }));
}

/** The message that a throwing check gives, for `judged`. */
export function thrownBy(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!ContractError.isInstance(error)) throw error;
    return error.message;
  }
}
