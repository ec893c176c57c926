import { appendPointer } from "./pointer.ts";

export interface NonJson {
  readonly pointer: string;
  readonly reason: NonJsonReason;
  readonly message: string;
}

interface Frame {
  readonly node: Readonly<Record<string, unknown>>;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/** Walks in document order, knows the ancestors of each value, and names the first part that JSON cannot carry. */
export function locateNonJson(root: unknown, maxDepth: number): NonJson | undefined {
  const frames: Frame[] = [];
  const ancestors = new Set<object>();
  const rootReason = primitiveReason(root);
  if (rootReason !== undefined) return found(rootReason, frames, root, maxDepth);
  if (typeof root !== "object" || root === null) return undefined;
  const rootFault = enter(root, frames, ancestors, maxDepth);
  if (rootFault !== undefined) return found(rootFault, frames, root, maxDepth);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.length) {
      frames.pop();
      ancestors.delete(frame.node);
      continue;
    }
    const item = frame.node[keyAt(frame, frame.next++)];
    // JSON.stringify leaves such a property out, so it counts as absent.
    if (item === undefined && frame.keys !== undefined) continue;
    const reason =
      typeof item === "object" && item !== null
        ? enter(item, frames, ancestors, maxDepth)
        : primitiveReason(item);
    if (reason !== undefined) return found(reason, frames, item, maxDepth);
  }
  return undefined;
}

function primitiveReason(value: unknown): NonJsonReason | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : "not-finite";
  if (typeof value === "function") return "function";
  if (typeof value === "symbol") return "symbol";
  if (typeof value === "bigint") return "bigint";
  return value === undefined ? "undefined" : undefined;
}

function enter(
  node: object,
  frames: Frame[],
  ancestors: Set<object>,
  maxDepth: number,
): NonJsonReason | undefined {
  if (ancestors.has(node)) return "circular";
  if (frames.length >= maxDepth) return "too-deep";
  if (!isPlain(node)) return "not-plain";
  const keys = Array.isArray(node) ? undefined : Object.keys(node);
  const length = Array.isArray(node) ? node.length : (keys?.length ?? 0);
  frames.push({ node: node as Frame["node"], keys, length, next: 0 });
  ancestors.add(node);
  return undefined;
}

/** A plain object of this realm or another (a `vm` context, an iframe), sent as itself. */
function isPlain(node: object): boolean {
  if (typeof (node as { toJSON?: unknown }).toJSON === "function") return false;
  const prototype: unknown = Object.getPrototypeOf(node);
  if (Array.isArray(node)) {
    if (prototype === Array.prototype) return true;
    return Array.isArray(prototype) && Object.hasOwn(prototype, "concat");
  }
  if (prototype === Object.prototype || prototype === null) return true;
  if (typeof prototype !== "object") return false;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, "hasOwnProperty");
}

function keyAt(frame: Frame, index: number): string {
  return frame.keys === undefined ? String(index) : (frame.keys[index] ?? "");
}

function found(reason: NonJsonReason, frames: readonly Frame[], value: unknown, maxDepth: number): NonJson {
  const pointers = [""];
  for (const frame of frames)
    pointers.push(appendPointer(pointers.at(-1) ?? "", keyAt(frame, frame.next - 1)));
  const pointer = pointers.at(-1) ?? "";
  const where = pointer === "" ? "The value" : `The value at ${pointer}`;
  if (reason === "not-plain") return { pointer, reason, message: `${where} is ${describeNotPlain(value)}` };
  const ancestor = pointers[frames.findIndex((frame) => frame.node === value)];
  return { pointer, reason, message: `${where} ${describeNonJson(reason, value, maxDepth, ancestor)}` };
}

type NonJsonReason =
  | "function"
  | "symbol"
  | "bigint"
  | "undefined"
  | "not-finite"
  | "too-deep"
  | "circular"
  | "not-plain";

const BYTES = "its bytes as a base64 string";
/** What to send instead of an object of a built-in class. */
const BUILT_INS: Readonly<Record<string, string>> = {
  Date: "date.toISOString()",
  Map: "Object.fromEntries(map)",
  Set: "[...set]",
  Error: "{ message: error.message }",
  RegExp: "regexp.source",
  URL: "url.href",
  URLSearchParams: "String(params)",
  ArrayBuffer: BYTES,
  SharedArrayBuffer: BYTES,
  DataView: BYTES,
};
const BOXED = ["String", "Number", "Boolean"];

/** Says what an object that is not plain is, and what to send instead. */
function describeNotPlain(value: unknown): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const named = `${/^[AE]/.test(tag) ? "an" : "a"} ${tag}`;
  if (Object.hasOwn(BUILT_INS, tag)) return `${named}: send ${BUILT_INS[tag]}.`;
  if (BOXED.includes(tag)) return `a boxed ${tag}: send the plain ${tag.toLowerCase()}, ${tag}(value).`;
  if (tag === "Promise") return `${named}: await it and send its result.`;
  if (ArrayBuffer.isView(value)) return `${named}: send Array.from(values), or ${BYTES}.`;
  if (typeof (value as { toJSON?: unknown }).toJSON === "function") {
    return "an object with a toJSON method, which is sent as something else: send value.toJSON().";
  }
  if (Array.isArray(value)) return "an array of a subclass: send Array.from(value).";
  return `an instance of ${className(value)}: send a plain object, such as { ...instance }.`;
}

function className(value: unknown): string {
  const constructor: unknown = (value as { constructor?: unknown }).constructor;
  const name = typeof constructor === "function" ? constructor.name : "";
  return typeof name === "string" && name !== "" && name !== "Object" ? name : "a class";
}

/** Says what is wrong with a value for any other reason, and what to do about it. */
function describeNonJson(
  reason: Exclude<NonJsonReason, "not-plain">,
  value: unknown,
  maxDepth: number,
  ancestor: string | undefined,
): string {
  const messages: Readonly<Record<typeof reason, string>> = {
    function: "is a function, which JSON cannot carry: call it and send its result, or leave it out.",
    symbol: "is a symbol, which JSON cannot carry: send symbol.description, or leave it out.",
    bigint: "is a bigint, which JSON cannot carry: send String(value).",
    undefined: "is undefined, which JSON cannot carry: send null, or leave it out.",
    "not-finite": `is ${reason === "not-finite" ? String(value) : ""}, which JSON cannot carry: send null or a string.`,
    "too-deep": `is nested deeper than ${maxDepth} levels: flatten it, or send that part as text.`,
    circular: `refers back to ${ancestor === "" ? "the whole value" : ancestor}, which encloses it: send an id in its place.`,
  };
  return messages[reason];
}
