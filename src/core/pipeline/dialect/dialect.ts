import type * as z from "zod/mini";
import type { DialectId } from "../../contract/dialect-id.ts";
import { type EmitEmpty, wrapData } from "../../contract/envelope.ts";
import type { Fault, Outcome } from "../../contract/outcome.ts";
import type { PresenceTable, Profile, RequestIdOrigin } from "../../contract/profile.ts";
import type { Rule, Violation } from "../../contract/rule.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";

export interface RenderOptions {
  readonly profile: Profile;
  /** Who chose the request id; an id of the client's own is echoed in every profile. */
  readonly requestIdFrom?: RequestIdOrigin | undefined;
  /** Draft only: where metadata is written. */
  readonly metadata?: "meta" | "data" | undefined;
  /** Scalpel only: write all nine keys, with null for those without a value. */
  readonly fill?: "null" | undefined;
  readonly emitEmpty?: EmitEmpty | undefined;
}

/** What rules may know about the server besides its response. */
export interface CheckFacts {
  /** The server's tiers, lowest first. Default: community, pro, enterprise. */
  readonly tiers?: readonly string[] | undefined;
}

/** One thing a dialect cannot carry, as a path into the outcome and what is read there instead. */
export interface Loss {
  readonly path: string;
  /** `dropped`, `wrapped` (a scalar or list sits under `result`), or the value read instead. */
  readonly becomes: "dropped" | "wrapped" | { readonly value: JsonValue };
  readonly why: string;
  /** Set if only failures lose it. */
  readonly on?: "failure";
}

/** A way to write an outcome and to read it back. Law: `read(render(x))` is `x`, up to `losses`. */
export interface Dialect {
  readonly id: DialectId;
  readonly says: string;
  /** Whether `render` returns an envelope for a tool result to carry, or the tool result itself. */
  readonly level: "envelope" | "result";
  /** A value that is no tool result is the payload of a success. Such a dialect has the level `result`. */
  readonly takesBarePayloads?: true;
  /** Whether data that is not an object is written as one, under `result`. */
  readonly wrapsData?: true;
  /** Whether the dialect itself can name what was left out; otherwise a further item names it. */
  readonly carriesOmissions?: true;
  /** The source document shows its capabilities in full, so a call adds none of its own. */
  readonly fixesCapabilities?: true;
  /** A profile hides what Waybill adds, never the telemetry, rate limit or warnings that the tool itself set. */
  readonly sendsAuthored?: true;
  /** The notes for which this dialect's document asks for less or more than the profile does. */
  readonly presence?: Readonly<Record<string, Partial<PresenceTable>>>;
  readonly schema: z.ZodMiniType;
  readonly rules: readonly Rule[];
  readonly losses: readonly Loss[];
  render(outcome: Outcome, options: RenderOptions): JsonValue;
  /** Notes that have no place in `render`'s JSON, for one further text item. */
  aside?(outcome: Outcome, options: RenderOptions): JsonObject | undefined;
  /** Turns metadata that a tool put into its data, as this dialect's document allows, into notes. */
  readonly lift?: (outcome: Outcome) => Outcome;
  /** Names of metadata at the top of the data, if this dialect's document forbids metadata there. */
  readonly strays?: (data: JsonValue) => readonly string[];
  /** Writes text that an author put beside the data. Default: as it is. */
  readonly writeBeside?: (text: string, outcome: Outcome) => string;
  /**
   * Writes a block that is not a text, in a dialect where every item is text. Default: the block is sent as it is. Its
   * bytes are kept in the archive, and a link replaces them.
   */
  readonly writeBlock?: (block: JsonObject, outcome: Outcome) => string;
  /** The block that `writeBlock` wrote, if the text contains all of it. */
  readonly readBlock?: (text: string) => JsonObject | undefined;
  /** Words an error of the protocol itself. Default: the server's own words. */
  readonly writeError?: (error: JsonObject, method: string) => JsonObject;
  /** The author's text that `writeBeside` wrote. */
  readonly readBeside?: (text: string) => string;
  /** Violations of this dialect's rules; the value is known to be JSON. */
  check(json: JsonValue, facts?: CheckFacts): Violation[];
  /** The outcome of a value that breaks no MUST. */
  read(json: JsonValue): Outcome;
}

/** A failure of which at most a text is known. */
export function untypedFault(text: string): Fault {
  const message = text.trim() === "" ? "The tool failed without a message" : text;
  return { message, code: "INTERNAL_ERROR", type: "internal" };
}

/** The losses of dialects whose failure is only a text: it is read back as an internal error. */
export const untypedFaultLosses: readonly Loss[] = [
  { path: "/fault/code", becomes: { value: "INTERNAL_ERROR" }, why: "a failure is a text alone" },
  { path: "/fault/type", becomes: { value: "internal" }, why: "a failure is a text alone" },
  { path: "/fault/remediation", becomes: "dropped", why: "a failure is a text alone" },
  { path: "/fault/details", becomes: "dropped", why: "a failure is a text alone" },
  { path: "/fault/data", becomes: "dropped", why: "a failure is a text alone" },
];

type Tree = Record<string, unknown>;

function change(tree: Tree, [key = "", ...rest]: readonly string[], becomes: Loss["becomes"]): Tree {
  if (!Object.hasOwn(tree, key)) return tree;
  if (rest.length > 0) {
    const inner = change((tree[key] ?? {}) as Tree, rest, becomes);
    // The author's own keys are removed when none is left; notes are always present.
    if (key === "extra" && Object.keys(inner).length === 0) return change(tree, [key], "dropped");
    return { ...tree, [key]: inner };
  }
  if (becomes === "wrapped") return { ...tree, [key]: wrapData(tree[key] as JsonValue) };
  if (becomes !== "dropped") return { ...tree, [key]: becomes.value };
  const { [key]: _, ...kept } = tree;
  return kept;
}

/** What remains of an outcome after a dialect with these losses carried it. */
export function forget(outcome: Outcome, losses: readonly Loss[]): Outcome {
  const tree = losses
    .filter(({ on }) => on !== "failure" || !outcome.ok)
    .reduce<Tree>(
      (left, loss) => change(left, loss.path.split("/").slice(1), loss.becomes),
      outcome as unknown as Tree,
    );
  return { notes: {}, ...tree } as unknown as Outcome & JsonObject;
}
