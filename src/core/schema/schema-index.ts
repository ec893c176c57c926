import { type JsonObject, type JsonValue, isJsonObject } from "../json/json-value.ts";
import { getByPointer } from "../json/pointer.ts";
import type { RefKeyword } from "./open-schema.ts";

/** A schema document, or one embedded in it by its own `$id`. */
interface Resource {
  readonly id: string;
  readonly root: JsonObject;
  readonly anchors: Map<string, JsonObject>;
}

export interface SchemaIndex {
  readonly resources: ReadonlyMap<string, Resource>;
  /** Anchors that more than one resource defines. */
  readonly sharedAnchors: ReadonlySet<string>;
  /** The resource that contains an object of the document. */
  readonly homes: ReadonlyMap<JsonObject, Resource>;
}

function resolveUri(uri: string, base: string): string {
  try {
    return new URL(uri, base).href;
  } catch {
    return uri;
  }
}

function addAnchors(schema: JsonObject, { anchors }: Resource): void {
  const { $id, $anchor, $dynamicAnchor } = schema;
  // Draft 7 writes an anchor as an `$id` that is only a fragment.
  const fragment = typeof $id === "string" && $id.startsWith("#") ? $id.slice(1) : undefined;
  for (const name of [fragment, $anchor, $dynamicAnchor]) {
    if (typeof name === "string" && name !== "" && !anchors.has(name)) anchors.set(name, schema);
  }
}

function startsResource(schema: JsonObject): boolean {
  return typeof schema["$id"] === "string" && !schema["$id"].startsWith("#");
}

function resourceAt(schema: JsonObject, parent: Resource | undefined): Resource {
  if (parent !== undefined && !startsResource(schema)) return parent;
  const uri = typeof schema["$id"] === "string" ? schema["$id"] : "";
  const [id = ""] = resolveUri(uri, parent?.id ?? "").split("#");
  return { id, root: schema, anchors: new Map() };
}

function findShared(resources: Iterable<Resource>): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { anchors } of resources) {
    for (const name of anchors.keys()) (seen.has(name) ? shared : seen).add(name);
  }
  return shared;
}

/** Finds every `$id` and anchor, also below unknown keywords, because pointers may lead there. */
export function indexSchema(root: JsonObject): SchemaIndex {
  const resources = new Set<Resource>();
  const homes = new Map<JsonObject, Resource>();
  const pending: { value: JsonValue; parent: Resource | undefined }[] = [{ value: root, parent: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, parent } = next;
    let home = parent;
    if (isJsonObject(value)) {
      if (homes.has(value)) continue;
      home = resourceAt(value, parent);
      resources.add(home);
      homes.set(value, home);
      addAnchors(value, home);
    }
    if (typeof value !== "object" || value === null) continue;
    for (const child of Object.values(value).reverse()) pending.push({ value: child, parent: home });
  }
  // If two resources have the same id, the first counts.
  const byId = new Map([...resources].reverse().map((resource) => [resource.id, resource]));
  return { resources: byId, sharedAnchors: findShared(resources), homes };
}

function atFragment(fragment: string, resource: Resource): JsonValue | undefined {
  try {
    const name = decodeURIComponent(fragment);
    if (name === "") return resource.root;
    return name.startsWith("/") ? getByPointer(resource.root, name) : resource.anchors.get(name);
  } catch {
    return undefined;
  }
}

/** The target of a dynamic ref depends on how it is reached, unless only one resource qualifies. */
function isAmbiguous(keyword: RefKeyword, fragment: string, index: SchemaIndex): boolean {
  if (keyword === "$recursiveRef") return index.resources.size > 1;
  return keyword === "$dynamicRef" && index.sharedAnchors.has(fragment);
}

/** The target of a ref in `schema` within the document; nothing is ever fetched. */
export function resolveRef(
  keyword: RefKeyword,
  ref: string,
  schema: JsonObject,
  index: SchemaIndex,
): JsonValue | undefined {
  const home = index.homes.get(schema);
  const at = ref.indexOf("#");
  const uri = at < 0 ? ref : ref.slice(0, at);
  const fragment = at < 0 ? "" : ref.slice(at + 1);
  if (home === undefined || isAmbiguous(keyword, fragment, index)) return undefined;
  const resource = uri === "" ? home : index.resources.get(resolveUri(uri, home.id));
  return resource === undefined ? undefined : atFragment(fragment, resource);
}
