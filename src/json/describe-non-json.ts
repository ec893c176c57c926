export type NonJsonReason =
  | "function"
  | "symbol"
  | "bigint"
  | "undefined"
  | "not-finite"
  | "too-deep"
  | "circular"
  | "not-plain";

const BUILT_INS = new Map([
  ["Date", "a Date: send date.toISOString()."],
  ["Map", "a Map: send Object.fromEntries(map)."],
  ["Set", "a Set: send [...set]."],
  ["Error", "an Error: send { message: error.message }."],
  ["RegExp", "a RegExp: send regexp.source."],
  ["Promise", "a Promise: await it and send its result."],
  ["URL", "a URL: send url.href."],
  ["URLSearchParams", "a URLSearchParams: send String(params)."],
  ["ArrayBuffer", "an ArrayBuffer: send its bytes as a base64 string."],
  ["SharedArrayBuffer", "a SharedArrayBuffer: send its bytes as a base64 string."],
  ["DataView", "a DataView: send its bytes as a base64 string."],
  ["String", "a boxed String: send the plain string, String(value)."],
  ["Number", "a boxed Number: send the plain number, Number(value)."],
  ["Boolean", "a boxed Boolean: send the plain boolean, value.valueOf()."],
]);

/** Says what an object that is not plain is, and what to send in its place. */
export function describeNotPlain(value: unknown): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const builtIn = BUILT_INS.get(tag);
  if (builtIn !== undefined) return builtIn;
  if (ArrayBuffer.isView(value)) return `a ${tag}: send Array.from(values), or its bytes as a base64 string.`;
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

/** Says what is wrong with a value for every other reason, and what to do about it. */
export function describeNonJson(
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
