// Schemas that a schema repeats word for word become one definition, where that is shorter. Refs have no
// keyword beside them, so that every draft reads them alike.

import { type JsonObject, type JsonValue, isJsonObject, mapObject } from "../json/json-value.ts";
import { mapChildren } from "./json-schema.ts";
import { createNamer, defRef } from "./open-schema.ts";

/** The same object, if it repeats nothing. Its refs must all lead to the root or to a definition of the root. */
export function shareSubtrees(root: JsonObject): JsonObject {
  const survey = surveyForms(root);
  return survey.hasRepeats ? new Sharing(root, survey.formOf).write() : root;
}

/** Schemas that are equal word for word. */
interface Form {
  readonly number: number;
  /** The name of the property or definition where it is first met. */
  readonly name: string;
  /** The characters of its own text, without its children. */
  readonly ownLength: number;
  readonly children: readonly Form[];
  /** It has words of its own to a client, such as `x-mcp-header`, which a client looks for in its place. */
  readonly isPinned: boolean;
  /** How often other forms contain it: what is inside a repeated schema counts once. */
  uses: number;
  isShared: boolean;
}

interface Survey {
  readonly formOf: ReadonlyMap<JsonObject, Form>;
  readonly hasRepeats: boolean;
}

/** Linear: the text by which a schema is known has numbers in place of its children. */
function surveyForms(root: JsonObject): Survey {
  const forms = new Map<string, Form>();
  const formOf = new Map<JsonObject, Form>();
  const visit = (schema: JsonObject, name: string): Form => {
    const children: Form[] = [];
    const outline = mapChildren(schema, (child, keyword, key) => {
      const form = visit(child, key === undefined || keyword === "patternProperties" ? name : key);
      children.push(form);
      // Every object at the place of a schema is replaced, so no schema can be taken for this one.
      return { "": form.number };
    });
    const text = JSON.stringify(outline);
    const ownLength = text.length - children.length * NUMBER_LENGTH;
    const form = forms.get(text) ?? {
      number: forms.size,
      name,
      ownLength,
      children,
      isPinned:
        Object.keys(schema).some((key) => key.startsWith("x-")) || children.some(({ isPinned }) => isPinned),
      uses: 0,
      isShared: false,
    };
    if (!forms.has(text)) for (const child of children) child.uses += 1;
    forms.set(text, form);
    formOf.set(schema, form);
    return form;
  };
  visit(root, "root");
  return { formOf, hasRepeats: chooseShared([...forms.values()]) };
}

/** About what a number takes in the text of a form. */
const NUMBER_LENGTH = 8;
/** In characters: `{"$ref":"#/$defs/"}`, whose signs cost more tokens than words do, and the frame of a definition. */
const REF_LENGTH = 36;
const DEF_LENGTH = 24;
/** A reader must look elsewhere, so a few characters are not worth it. */
const MIN_SAVED = 20;

/** Forms come after what they contain, so that the length of each is known with what it shares. */
function chooseShared(forms: readonly Form[]): boolean {
  const lengths = new Map<Form, number>();
  for (const form of forms) {
    const inside = form.children.map((child) => (child.isShared ? REF_LENGTH : (lengths.get(child) ?? 0)));
    const length = inside.reduce((sum, each) => sum + each, form.ownLength);
    lengths.set(form, length);
    const saved = (form.uses - 1) * length - form.uses * REF_LENGTH - DEF_LENGTH;
    form.isShared = form.uses > 1 && saved >= MIN_SAVED && !form.isPinned;
  }
  return forms.some(({ isShared }) => isShared);
}

const defKeywords = ["$defs", "definitions"];

class Sharing {
  readonly #root: JsonObject;
  readonly #formOf: ReadonlyMap<JsonObject, Form>;
  readonly #refs = new Map<Form, string>();
  readonly #nameOf: (name: string) => string;
  readonly #made: Record<string, JsonObject> = {};

  constructor(root: JsonObject, formOf: ReadonlyMap<JsonObject, Form>) {
    this.#root = root;
    this.#formOf = formOf;
    const known = defKeywords.flatMap((keyword) => {
      const defs = root[keyword];
      return isJsonObject(defs) ? Object.entries(defs).map(([name, def]) => ({ keyword, name, def })) : [];
    });
    this.#nameOf = createNamer(known.map(({ name }) => name));
    // A definition that the schema has already is used for all that are equal to it.
    for (const { keyword, name, def } of known) {
      const form = isJsonObject(def) ? formOf.get(def) : undefined;
      if (form?.isShared === true && !this.#refs.has(form)) this.#refs.set(form, `#/${keyword}/${name}`);
    }
  }

  write(): JsonObject {
    const written = mapObject(this.#root, (value, keyword) => {
      if (!defKeywords.includes(keyword) || !isJsonObject(value)) return value;
      return mapObject(value, (def, name) => this.#definition(def, `#/${keyword}/${name}`));
    });
    const whole = mapChildren(written, (child, keyword) =>
      defKeywords.includes(keyword) ? child : this.#place(child),
    );
    if (Object.keys(this.#made).length === 0) return whole;
    const { $defs = {} } = whole;
    return { ...whole, $defs: { ...(isJsonObject($defs) ? $defs : {}), ...this.#made } };
  }

  #definition(def: JsonValue, own: string): JsonValue {
    if (!isJsonObject(def)) return def;
    const form = this.#formOf.get(def);
    const ref = form && this.#refs.get(form);
    return ref === undefined || ref === own ? this.#inside(def) : { $ref: ref };
  }

  #place(schema: JsonObject): JsonObject {
    const form = this.#formOf.get(schema);
    if (form?.isShared !== true) return this.#inside(schema);
    const known = this.#refs.get(form);
    if (known !== undefined) return { $ref: known };
    const name = this.#nameOf(form.name);
    this.#refs.set(form, defRef(name));
    this.#made[name] = this.#inside(schema);
    return { $ref: defRef(name) };
  }

  #inside(schema: JsonObject): JsonObject {
    return mapChildren(schema, (child) => this.#place(child));
  }
}
