// The fields of a form, made from the JSON Schema of a tool's arguments.

import type { JsonObject, JsonValue } from "../../src/core/json/json-value.ts";

interface FieldOf<Kind extends string> {
  readonly kind: Kind;
  /** The name of the argument; of an item of a list, its list's. */
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
  /** What the server takes where it is left out. */
  readonly fallback?: JsonValue | undefined;
  readonly example?: JsonValue | undefined;
  /** Limits and forms, in words, shown below it. */
  readonly rules: readonly string[];
}

export interface TextField extends FieldOf<"text"> {
  readonly minLength: number;
  readonly maxLength: number;
  readonly format?: string | undefined;
}

export interface NumberField extends FieldOf<"number"> {
  readonly isInteger: boolean;
  readonly min: number;
  readonly max: number;
  readonly isAboveMin: boolean;
  readonly isBelowMax: boolean;
  readonly step?: number | undefined;
}

export interface ChoiceField extends FieldOf<"choice"> {
  readonly choices: readonly JsonValue[];
}

export interface ListField extends FieldOf<"list"> {
  readonly item: Field;
  readonly minItems: number;
  readonly maxItems: number;
  readonly isUnique: boolean;
}

export interface GroupField extends FieldOf<"group"> {
  readonly fields: readonly Field[];
}

/** What no other field can show: written as JSON. */
interface JsonField extends FieldOf<"json"> {
  readonly schema: JsonObject;
}

export type Field = TextField | NumberField | ChoiceField | ListField | GroupField | JsonField;

/** What someone has typed so far: raw texts, lists and groups of them. `""` and undefined: not given. */
export type Draft = string | undefined | EmptyText | readonly Draft[] | { readonly [name: string]: Draft };

/** An empty text that is meant. */
export interface EmptyText {
  readonly isEmptyText: true;
}

export function isEmptyText(draft: Draft): draft is EmptyText {
  return typeof draft === "object" && "isEmptyText" in draft && draft.isEmptyText === true;
}
