import type * as z from "zod/mini";
import type { DialectId } from "../../contract/dialect-id.ts";
import type { Notes, Outcome } from "../../contract/outcome.ts";
import {
  type PresenceTable,
  type Profile,
  type RequestIdOrigin,
  presentNotes,
} from "../../contract/profile.ts";
import type { Rule, Violation } from "../../contract/rule.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";

export interface RenderOptions {
  readonly profile: Profile;
  /** Who chose the request id; a client's own is echoed in every profile. */
  readonly requestIdFrom?: RequestIdOrigin;
  /** Draft only: where metadata rides. */
  readonly metadata?: "meta" | "data";
  /** Scalpel only: write all nine keys, null where there is nothing. */
  readonly fill?: "null";
  readonly emitEmpty?: boolean;
}

/** One thing a dialect cannot carry, as a path into the outcome and what is read there instead. */
export interface Loss {
  readonly path: string;
  /** `dropped`, `wrapped` (a scalar or list sits under `result`), or the value read instead. */
  readonly becomes: "dropped" | "wrapped" | { readonly value: JsonValue };
  readonly why: string;
  /** Set where only failures lose it. */
  readonly on?: "failure";
}

/** A way to write an outcome down and to read it back. Law: `read(render(x))` is `x`, up to `losses`. */
export interface Dialect {
  readonly id: DialectId;
  readonly says: string;
  /** Whether `render` gives an envelope for a tool result to carry, or the tool result itself. */
  readonly level: "envelope" | "result";
  /** Whether data that is no object is written as one, under `result`. */
  readonly wrapsData?: true;
  /** Whether the words themselves say what was left out; where they cannot, it rides beside them. */
  readonly carriesOmissions?: true;
  /** Where this dialect's own document asks for less or more than the profile does. */
  readonly presence?: Readonly<Record<string, Partial<PresenceTable>>>;
  readonly schema: z.ZodMiniType;
  readonly rules: readonly Rule[];
  readonly losses: readonly Loss[];
  render(outcome: Outcome, options: RenderOptions): JsonValue;
  /** Notes with no place in `render`'s JSON, to ride in one further text item. */
  aside?(outcome: Outcome, options: RenderOptions): JsonObject | undefined;
  /** How text that an author wrote beside the data is written; without it, as it is. */
  readonly writeBeside?: (text: string, outcome: Outcome) => string;
  /** The author's text behind what `writeBeside` made of it. */
  readonly readBeside?: (text: string) => string;
  /** Violations of this dialect's rules; the value is known to be JSON. */
  check(json: JsonValue): Violation[];
  /** The outcome behind a value that breaks no MUST. */
  read(json: JsonValue): Outcome;
}

/** The notes that profile and dialect together let through. */
export function shownNotes(
  dialect: Pick<Dialect, "presence">,
  outcome: Outcome,
  options: RenderOptions,
): Notes {
  const { profile, requestIdFrom = "client" } = options;
  const show = { ...profile.show, ...dialect.presence?.[profile.name] };
  return presentNotes(outcome, show, requestIdFrom);
}
