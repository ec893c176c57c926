// A value without what a model does not need. Only fields of objects are left out, never items of lists, so every pointer
// means the same before and after; keys keep their order, and what is unchanged is the same reference. An object never
// loses all its fields: if all are null or empty it is empty itself, and otherwise it stays whole. So a second time
// nothing is left to leave out.

import { type JsonObject, type JsonValue, isJsonObject, setOwn } from "../../../json/json-value.ts";
import { parseJson } from "../../../json/parse-json.ts";
import { type LeanRule, type PresetField, identityNames, leanPresets, opaqueNames } from "./lean-rules.ts";
import { isLinkName, isRepeatedLink } from "./repeated-link.ts";
import type { ProtectedNames } from "./protected-names.ts";

export interface LeanOptions {
  /** Ids of presets. */
  readonly presets: readonly string[];
  readonly guarded: ProtectedNames;
  /** Whether JSON inside texts is made lean too. */
  readonly opensTexts: boolean;
}

/** One field that was left out. */
export interface DroppedField {
  /** Keys on the way to the field, `*` for the items of a list. */
  readonly path: readonly string[];
  readonly key: string;
  readonly rule: LeanRule;
  readonly value: JsonValue;
}

export interface LeanValue {
  /** The same reference if nothing was left out. */
  readonly value: JsonValue;
  readonly dropped: readonly DroppedField[];
  /** Texts that are JSON were written anew. */
  readonly hasTexts: boolean;
}

/** Deeper values stay as they are. */
const MAX_DEPTH = 64;
/** JSON in texts is looked for as deep, in lists as long, and in texts as long, as `waybill_retrieve` looks for it. */
const MAX_TEXT_DEPTH = 3;
const MAX_TEXT_ITEMS = 100;
const MIN_TEXT_LENGTH = 64;
/** The most texts, from this object and those around it, that say which record this is. */
const MAX_EVIDENCE = 48;

export function leanValue(value: JsonValue, options: LeanOptions): LeanValue {
  const walk = new LeanWalk(options);
  const start: Around = { place: { path: [] }, evidence: [], depth: 0, mayOpen: options.opensTexts };
  const lean = walk.visit(value, start);
  return { value: lean === bare ? value : lean, dropped: walk.dropped, hasTexts: walk.hasTexts };
}

/** The way to a value. Items of a list share one place, so places are as many as the forms of the data have. */
interface Place {
  readonly path: readonly string[];
  inner?: Map<string, Place>;
}

interface Around {
  readonly place: Place;
  /** Ids, numbers and names of the objects around the value. */
  readonly evidence: readonly string[];
  readonly depth: number;
  /** Whether a text here may be opened: every list and object around it is one that is searched for texts. */
  readonly mayOpen: boolean;
}

function step(place: Place, key: string): Place {
  place.inner ??= new Map();
  const known = place.inner.get(key);
  if (known !== undefined) return known;
  const made = { path: [...place.path, key] };
  // Keys of a map are data: beyond this they are not remembered.
  if (place.inner.size < MAX_INNER) place.inner.set(key, made);
  return made;
}

const MAX_INNER = 1_000;

class LeanWalk {
  readonly dropped: DroppedField[] = [];
  hasTexts = false;
  readonly #options: LeanOptions;
  readonly #presetFields: ReadonlyMap<string, readonly PresetField[]>;

  constructor(options: LeanOptions) {
    this.#options = options;
    const fields = new Map<string, PresetField[]>();
    for (const { id, fields: own } of leanPresets)
      if (options.presets.includes(id))
        for (const row of own) fields.set(row.field, [...(fields.get(row.field) ?? []), row]);
    this.#presetFields = fields;
  }

  visit(value: JsonValue, around: Around): JsonValue {
    if (typeof value === "string") return around.mayOpen ? this.#text(value, around) : value;
    if (typeof value !== "object" || value === null || around.depth >= MAX_DEPTH) return value;
    return isJsonObject(value) ? this.#object(value, around) : this.#list(value, around);
  }

  #list(items: readonly JsonValue[], around: Around): JsonValue {
    const inner: Around = {
      ...around,
      place: step(around.place, "*"),
      depth: around.depth + 1,
      mayOpen: around.mayOpen && around.depth < MAX_TEXT_DEPTH && items.length <= MAX_TEXT_ITEMS,
    };
    let made: JsonValue[] | undefined;
    for (const [index, item] of items.entries()) {
      const lean = this.visit(item, inner);
      if (lean === item || lean === bare) continue;
      made ??= [...items];
      made[index] = lean;
    }
    return made ?? items;
  }

  #object(object: JsonObject, around: Around): JsonValue {
    const { evidence, depth, place } = around;
    const own = evidenceIn(object);
    const inner = {
      evidence: own.length === 0 ? evidence : [...own, ...evidence].slice(0, MAX_EVIDENCE),
      depth: depth + 1,
      mayOpen: around.mayOpen && depth < MAX_TEXT_DEPTH,
    };
    const start = this.dropped.length;
    const hadTexts = this.hasTexts;
    const kept: Record<string, JsonValue> = {};
    let isChanged = false;
    let isEmpty = true;
    for (const [key, value] of Object.entries(object)) {
      const before = this.dropped.length;
      const lean = this.visit(value, { ...inner, place: step(place, key) });
      const rule = this.#ruleFor(key, value, lean, object, around, inner.evidence);
      if (rule === undefined) {
        const stays = lean === bare ? value : lean;
        setOwn(kept, key, stays);
        isEmpty = false;
        isChanged ||= stays !== value;
        continue;
      }
      // The field goes whole: what was left out inside it is not named by itself.
      this.dropped.length = before;
      this.dropped.push({ path: place.path, key, rule, value });
      isChanged = true;
    }
    if (!isChanged) return object;
    if (!isEmpty) return kept;
    const isBare = this.dropped.slice(start).every(({ rule }) => rule === "empty");
    this.dropped.length = start;
    this.hasTexts = hadTexts;
    return isBare ? bare : object;
  }

  #ruleFor(
    key: string,
    value: JsonValue,
    lean: JsonValue,
    object: JsonObject,
    { place, depth }: Around,
    evidence: readonly string[],
  ): LeanRule | undefined {
    if (this.#options.guarded.has(key)) return undefined;
    // An empty list that is the whole answer says that there is nothing.
    if (isEmptyValue(lean))
      return depth === 0 && typeof value === "object" && value !== null ? undefined : "empty";
    if (identityNames.has(key)) return undefined;
    const presets = this.#presetFields.get(key);
    if (presets?.some((row) => isOfPreset(row, lean, object, place.path)) === true) return "preset";
    if (typeof value !== "string") return undefined;
    if (opaqueNames.has(key.replaceAll(/([a-z])(?=[A-Z])/g, "$1_").toLowerCase()) && isOpaque(value))
      return evidenceIn(object).length > 0 ? "opaque" : undefined;
    const isLink = linkLists.has(place.path.at(-1) ?? "") || isLinkName(key);
    return isLink && isRepeatedLink(value, evidence) ? "link" : undefined;
  }

  /** JSON inside a text, if parsing it loses nothing. */
  #text(text: string, around: Around): JsonValue {
    if (text.length < MIN_TEXT_LENGTH || !/^\s*[[{]/.test(text.slice(0, MIN_TEXT_LENGTH))) return text;
    const parsed = parseJson(text);
    if (!parsed.ok || parsed.findings.length > 0 || parsed.reordersKeys) return text;
    if (typeof parsed.value !== "object" || parsed.value === null) return text;
    const lean = this.visit(parsed.value, { place: around.place, evidence: [], depth: 0, mayOpen: false });
    if (lean === parsed.value || lean === bare) return text;
    this.hasTexts = true;
    return JSON.stringify(lean);
  }
}

/** Every member of such an object is a link, as in HAL. */
const linkLists: ReadonlySet<string> = new Set(["_links", "links"]);

/** Marks an object whose fields are all null or empty. */
const bare: JsonObject = Object.freeze({});

function isEmptyValue(value: JsonValue): boolean {
  if (value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function evidenceIn(object: JsonObject): readonly string[] {
  const found: string[] = [];
  for (const name of identityNames) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === "number") found.push(String(value));
    if (typeof value === "string" && value !== "" && value.length <= MAX_EVIDENCE_LENGTH) found.push(value);
  }
  return found;
}

const MAX_EVIDENCE_LENGTH = 200;

/** Letters and digits in one word, as ids of machines are. */
function isOpaque(value: string): boolean {
  return (
    value.length >= 8 && value.length <= 512 && /^[\w+/=:."-]+$/.test(value) && /\d|[A-Z].*[a-z]/.test(value)
  );
}

function isOfPreset(
  { under, when }: PresetField,
  value: JsonValue,
  object: JsonObject,
  path: readonly string[],
): boolean {
  if (under !== undefined && path.findLast((key) => key !== "*") !== under) return false;
  if (when === "false") return value === false;
  if (when === "beside-text") return typeof object["text"] === "string" && object["text"] !== "";
  return when !== "idle" || isIdle(value);
}

/** An object without any figure, switch or text of its own. */
function isIdle(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).every(
      (part) =>
        part === 0 ||
        part === false ||
        part === null ||
        (typeof part === "string" && (part === "default" || /^https?:\/\//.test(part))),
    )
  );
}
