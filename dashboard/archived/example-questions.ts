// Questions that have an answer: made from what is kept, with names that are in it.

import { type JsonNode, readJson } from "../reading/read-json.ts";

/** How many items of a list are looked at. */
const ITEMS_READ = 100;
const plainName = /^[A-Za-z_]\w*$/;

function nameOf(key: string): string {
  return plainName.test(key) ? key : JSON.stringify(key);
}

function fieldOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.entries.find((entry) => entry.key === key)?.value : undefined;
}

/** Of a whole tool result, what was kept of it: its structured content, or the first text that is JSON. */
function contentOf(node: JsonNode): JsonNode | undefined {
  const blocks = fieldOf(node, "content");
  if (blocks?.kind !== "array") return node;
  for (const block of blocks.items) {
    const text = fieldOf(block, "text");
    const read = text?.kind === "text" && /^\s*[[{]/.test(text.value) ? readJson(text.value) : undefined;
    if (read !== undefined) return read.node;
  }
  return fieldOf(node, "structuredContent");
}

interface FoundList {
  /** Empty where the whole is the list. */
  readonly path: string;
  readonly items: readonly JsonNode[];
}

/** The first list that has items, two names deep at most. */
function firstList(node: JsonNode, path = "", depth = 0): FoundList | undefined {
  if (node.kind === "array") return node.items.length === 0 ? undefined : { path, items: node.items };
  if (node.kind !== "object" || depth === 2) return undefined;
  const entries = node.entries.toSorted(
    (one, other) => Number(other.value.kind === "array") - Number(one.value.kind === "array"),
  );
  for (const { key, value } of entries) {
    const found = firstList(value, path === "" ? nameOf(key) : `${path}.${nameOf(key)}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Member {
  readonly name: string;
  readonly values: readonly string[];
  readonly isText: boolean;
  readonly isNumber: boolean;
}

/** What every item has: names with texts, or with numbers. */
function membersOf(items: readonly JsonNode[]): Member[] {
  const [first] = items;
  if (first?.kind !== "object") return [];
  return first.entries.flatMap(({ key }) => {
    const nodes = items.map((item) => fieldOf(item, key));
    const values = nodes.flatMap((node) =>
      node?.kind === "text" ? [node.value] : node?.kind === "literal" ? [node.source] : [],
    );
    const isText = nodes.every((node) => node?.kind === "text");
    const isNumber = nodes.every((node) => node?.kind === "literal" && /\d/.test(node.source));
    return isText || isNumber ? [{ name: nameOf(key), values, isText, isNumber }] : [];
  });
}

/** A few questions for a text of JSON, also one that breaks off; none where it holds no list. */
export function exampleQuestions(text: string): string[] {
  const read = /^\s*[[{]/.test(text) ? readJson(text) : undefined;
  const content = read === undefined ? undefined : contentOf(read.node);
  const list = content === undefined ? undefined : firstList(content);
  if (read === undefined || list === undefined) return [];
  // The last item of a text that breaks off may lack what the others have.
  const whole = list.items.length > 1 ? list.items.slice(0, -1) : list.items;
  const members = membersOf(whole.slice(0, ITEMS_READ));
  const subject = list.path === "" ? "@" : list.path;
  const named = members.find(({ name }) => /^(?:id|name|title|key)$/i.test(name)) ?? members[0];
  const repeated = members.find(({ isText, values }) => isText && new Set(values).size * 2 <= values.length);
  const counted = members.find(({ isNumber, name }) => isNumber && !/id$/i.test(name));
  return [
    `length(${subject})`,
    ...(named === undefined ? [] : [`${list.path}[].${named.name}`]),
    ...(repeated === undefined ? [] : [`count_by(${subject}, &${repeated.name})`]),
    ...(counted === undefined ? [] : [`sum(${list.path}[].${counted.name})`]),
  ];
}
