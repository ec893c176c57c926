// The declared failures of a tool: written in its options, thrown by `ctx.fail`, listed in its docs.

import { canonicalCode, type ErrorType } from "../../core/contract/error-data.ts";
import type { KnownCode } from "../../core/contract/error-registry.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";
import { ContractError } from "../../core/contract/contract-error.ts";
import type { InferInput, StandardSchema } from "./standard-schema.ts";

/** One declared failure of a tool. */
export interface DeclaredFault<Details extends StandardSchema | undefined = StandardSchema | undefined> {
  /** A code of the registry or an alias, or one of your own with its `type`. */
  readonly code: KnownCode | (string & {});
  readonly type?: ErrorType | undefined;
  /** When it happens, as a sentence: "No task has this id". Also the message, if `ctx.fail` gets none. */
  readonly when: string;
  /** What the caller should do about it. Default: the registry's text for the code. */
  readonly remediation?: string | undefined;
  /** Whether the same call may work later. `false` tells clients not to retry, whatever the code. */
  readonly retryable?: boolean | undefined;
  /** A schema of the details that `ctx.fail` takes. */
  readonly details?: Details | undefined;
}

/** The faults of a tool, by the names that its handler passes to `ctx.fail`. */
export type DeclaredFaults = Readonly<Record<string, DeclaredFault>>;

/** A tool that declares no fault: `ctx.fail` accepts no name. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a record without keys is what is meant
export type NoFaults = Readonly<Record<never, DeclaredFault>>;

type DetailsOf<Fault> = Fault extends { readonly details: infer Schema extends StandardSchema }
  ? [details: InferInput<Schema>, message?: string | undefined]
  : [details?: Readonly<Record<string, unknown>> | undefined, message?: string | undefined];

/** A type that no value has. Its name is the compiler message for a tool that declares no fault. */
export interface NoErrorsAreDeclaredInTheOptionsOfThisTool {
  readonly "declare them: errors: { name: { code, when } }": never;
}

/** The names that `ctx.fail` accepts. A context of any tool accepts none, so every context is assignable to it. */
export type FaultName<Faults> = [Faults] extends [never]
  ? never
  : [keyof Faults] extends [never]
    ? NoErrorsAreDeclaredInTheOptionsOfThisTool
    : keyof Faults & string;

/** The name itself if the tool declares it, else the names that it declares: so the compiler speaks of the name first. */
export type CheckedName<Faults, Name> = [Faults] extends [never]
  ? never
  : Name extends FaultName<Faults>
    ? Name
    : FaultName<Faults>;

/** The arguments of `ctx.fail` after the name: the details that this fault requires, and a message. */
export type FaultDetails<Faults, Name> = [Faults] extends [never]
  ? []
  : Name extends keyof Faults
    ? DetailsOf<Faults[Name]>
    : [details?: Readonly<Record<string, unknown>> | undefined, message?: string | undefined];

/** Its name is the compiler message for a misspelt key. */
interface NoKeyOfADeclaredFault {
  readonly "write code, type, when, remediation, retryable or details": never;
}

/** Its name is the compiler message for an unknown code. */
interface NoCodeOfTheRegistrySoItNeedsItsType {
  readonly "docs/errors.md lists the codes": never;
}

/**
 * Declared faults without misspelt keys and codes: no value fits a wrong member. A code of your own needs its
 * `type`. A code whose type is `string` is checked when the tool is made.
 */
export type StrictFaults<Faults> = {
  readonly [Name in keyof Faults]: {
    readonly [Key in keyof Faults[Name]]: Key extends keyof DeclaredFault
      ? Key extends "code"
        ? CheckedCode<Faults[Name][Key], Faults[Name]>
        : unknown
      : NoKeyOfADeclaredFault;
  };
};

type CheckedCode<Code, Fault> = string extends Code
  ? unknown
  : Code extends KnownCode
    ? unknown
    : Fault extends { readonly type: ErrorType }
      ? unknown
      : NoCodeOfTheRegistrySoItNeedsItsType;

function declared(tool: string, faults: DeclaredFaults | undefined, name: string): DeclaredFault {
  const known = faults !== undefined && Object.hasOwn(faults, name) ? faults[name] : undefined;
  if (known !== undefined) return known;
  const names = Object.keys(faults ?? {});
  const advice =
    names.length === 0 ? "Declare it in the tool's options: errors: { … }." : adviseName(name, names);
  const message = `${tool}: ctx.fail has no fault ${JSON.stringify(name)}. ${advice}`;
  throw new ContractError("INVALID_OPTION", message, { tool });
}

/** The fault for a declared name; a name that the tool does not declare is a mistake in its code. */
export function declaredFault(
  tool: string,
  faults: DeclaredFaults | undefined,
  name: string,
  details?: Readonly<Record<string, unknown>>,
  message?: string,
): ToolFault {
  const { code, type, when, remediation, retryable } = declared(tool, faults, name);
  const all = retryable === undefined ? details : { ...details, retryable };
  return new ToolFault(message ?? when, {
    errorCode: code,
    errorType: type,
    remediation,
    details: all,
  });
}

/**
 * The first problem that the schema finds in the details; undefined without a problem, or if the schema is
 * asynchronous.
 */
export function wrongDetails(fault: DeclaredFault | undefined, details: unknown): string | undefined {
  const result = fault?.details?.["~standard"].validate(details);
  if (result === undefined || result instanceof Promise) return undefined;
  const [issue] = result.issues ?? [];
  if (issue === undefined) return undefined;
  const place = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step));
  return `${place.join(".") || "details"}: ${issue.message}`;
}

/** Codes that the contract itself gives a tool's failures: tools need not declare them. */
const ambientCodes: ReadonlySet<string> = new Set(["INTERNAL_ERROR", "INVALID_CURSOR", "TIMEOUT"]);

/** Whether a tool declares a code. True for a tool that declares no faults at all. */
export function isDeclared(faults: DeclaredFaults | undefined, code: string): boolean {
  if (faults === undefined || ambientCodes.has(code)) return true;
  const meant = canonicalCode(code);
  return Object.values(faults).some((fault) => canonicalCode(fault.code) === meant);
}
