import { ContractError } from "../contract/contract-error.ts";
import { type FlagDefinition, flagStates } from "./flag.ts";

type Flags = ReadonlyMap<string, FlagDefinition>;

function refuse(name: string, problem: string): never {
  throw new ContractError("INVALID_OPTION", `Flag "${name}" ${problem}`, { flag: name });
}

function isDate(text: string | undefined): boolean {
  return text === undefined || !Number.isNaN(Date.parse(text));
}

function checkFlag(name: string, flag: FlagDefinition, flags: Flags): void {
  const { percentage } = flag;
  if (!flagStates.includes(flag.state))
    refuse(name, `has no known state: choose one of ${flagStates.join(", ")}.`);
  if (typeof flag.default !== "boolean") refuse(name, "has no default: say true or false.");
  if (percentage !== undefined && !(Number.isInteger(percentage) && percentage >= 0 && percentage <= 100)) {
    refuse(name, `has the percentage ${percentage}: give a whole number from 0 to 100.`);
  }
  if (!isDate(flag.expires) || !isDate(flag.sunset)) {
    refuse(name, "has a date that cannot be read: write expires and sunset like 2027-01-31.");
  }
  const stranger = flag.requires?.find((needed) => !flags.has(needed));
  if (stranger !== undefined) refuse(name, `requires "${stranger}", which is not defined: define it too.`);
}

function checkCycle(name: string, flags: Flags, path: readonly string[], settled: Set<string>): void {
  if (settled.has(name)) return;
  if (path.includes(name)) {
    const circle = [...path.slice(path.indexOf(name)), name].join(" -> ");
    refuse(name, `requires itself (${circle}): remove one of these requirements.`);
  }
  for (const needed of flags.get(name)?.requires ?? []) checkCycle(needed, flags, [...path, name], settled);
  settled.add(name);
}

/** Refuses definitions that could not be evaluated: bad values, unknown requirements, circles. */
export function checkFlags(flags: Flags): void {
  for (const [name, flag] of flags) checkFlag(name, flag, flags);
  const settled = new Set<string>();
  for (const name of flags.keys()) checkCycle(name, flags, [], settled);
}
