import { ToolFault } from "../../src/core/contract/tool-fault.ts";
import type { ToolContext } from "../../src/engine/settings/tool-context.ts";

/** In every hostile value, and in no byte that is sent. */
export const MARK = "hostile-mark-7f3a";

export interface HostileHandler {
  readonly name: string;
  readonly code: string;
  readonly timeoutMs?: number;
  readonly run: (context: ToolContext) => unknown;
}

function circular(): object {
  const value: Record<string, unknown> = { note: MARK };
  value["self"] = value;
  return value;
}

function deep(levels: number): object {
  let value: object = { note: MARK };
  for (let level = 0; level < levels; level++) value = { inner: value };
  return value;
}

const failing = (): never => {
  throw new Error(`trap ${MARK}`);
};

function hostileProxy(): object {
  return new Proxy({}, { get: failing, has: failing, ownKeys: failing, getPrototypeOf: failing });
}

function revokedProxy(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function errorWithGetters(): Error {
  const error = new Error("x");
  for (const key of ["message", "stack", "name", "cause", "code"]) {
    Object.defineProperty(error, key, { get: failing });
  }
  return error;
}

class Account {
  owner = MARK;
}

const thrown: Readonly<Record<string, () => unknown>> = {
  "a string": () => `failed at ${MARK}`,
  undefined: () => undefined,
  null: () => null,
  "a circular object": circular,
  "a BigInt": () => 10n,
  "a symbol": () => Symbol(MARK),
  "a function": () => failing,
  "an error of 5 MB": () => new Error(MARK.repeat(5_000_000 / MARK.length)),
  "an error whose getters throw": errorWithGetters,
  "a proxy that throws": hostileProxy,
  "a revoked proxy": revokedProxy,
  "an error whose cause is a proxy that throws": () => new Error(MARK, { cause: hostileProxy() }),
  "an error that is its own cause": () => {
    const error = new Error(MARK);
    error.cause = error;
    return error;
  },
  "a thing that only looks like a fault": () => ({ [Symbol.for("waybill.ToolFault")]: true, message: MARK }),
  "an error with the code of a protocol error": () => Object.assign(new Error(MARK), { code: -32602 }),
  "an AggregateError": () => new AggregateError([new Error(MARK), MARK], MARK),
  "an object whose toJSON throws": () => ({ toJSON: failing }),
  "a fault without a message": () => new ToolFault(""),
};

const returned: Readonly<Record<string, () => unknown>> = {
  "a function": () => failing,
  "a symbol": () => Symbol(MARK),
  "a Map": () => new Map([[MARK, 1]]),
  "a Set": () => new Set([MARK]),
  "a circular value": circular,
  "a BigInt": () => ({ amount: 10n }),
  NaN: () => ({ share: Number.NaN }),
  "a class instance": () => new Account(),
  "an Error": () => new Error(MARK),
  "a value 5,000 levels deep": () => deep(5_000),
  "a proxy that throws": hostileProxy,
  "a getter that throws": () => ({
    fine: 1,
    get bad() {
      return failing();
    },
  }),
  "a getter that throws the second time": () => {
    let reads = 0;
    return {
      get bad() {
        return reads++ === 0 ? 1 : failing();
      },
    };
  },
  "an object whose toJSON throws": () => ({ toJSON: failing }),
  "a promise inside its data": () => ({ later: Promise.resolve(MARK) }),
  // oxlint-disable-next-line unicorn/no-thenable -- what awaits it is the point
  "a thenable that throws": () => ({ then: failing }),
  "a ready-made result with circular structure": () => ({ content: [], structuredContent: circular() }),
  "a ready-made result with a BigInt": () => ({ content: [{ type: "text", text: "x", size: 1n }] }),
  "a ready-made result with a function": () => ({ content: [{ type: "text", text: "x", note: failing }] }),
};

const late = (ms: number): Promise<never> =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`late ${MARK}`)), ms);
  });

const odd: readonly HostileHandler[] = [
  { name: "returns undefined", code: "success", run: () => undefined },
  { name: "returns null", code: "success", run: () => null },
  { name: "returns a Date", code: "success", run: () => new Date() },
  { name: "returns half a surrogate pair", code: "success", run: () => ({ text: "\ud83d" }) },
  {
    name: "returns a key called __proto__",
    code: "success",
    run: () => JSON.parse('{"__proto__":{"a":1}}') as unknown,
  },
  {
    name: "throws an AbortError",
    code: "UNAVAILABLE",
    run: () => {
      throw new DOMException(MARK, "AbortError");
    },
  },
  { name: "returns a promise that rejects late", code: "INTERNAL_ERROR", run: () => late(20) },
  { name: "never settles", code: "TIMEOUT", timeoutMs: 30, run: () => new Promise(() => undefined) },
  { name: "throws after the timeout", code: "TIMEOUT", timeoutMs: 20, run: () => late(40) },
  {
    name: "warns with a BigInt",
    code: "INTERNAL_ERROR",
    run: ({ warn }) => warn({ message: "odd", context: { amount: 1n as never, note: MARK } }),
  },
  { name: "warns with nothing", code: "INTERNAL_ERROR", run: ({ warn }) => warn(undefined as never) },
  {
    name: "leaves a progress notification alone",
    code: "success",
    run: (context) => {
      void context.progress(1, 2, "half");
      return {};
    },
  },
];

/** Every way a handler misbehaves, and what its caller is told. */
export const hostileHandlers: readonly HostileHandler[] = [
  ...Object.entries(thrown).map(([what, make]) => ({
    name: `throws ${what}`,
    code: "INTERNAL_ERROR",
    run: () => {
      throw make();
    },
  })),
  ...Object.entries(returned).map(([what, make]) => ({
    name: `returns ${what}`,
    code: "INTERNAL_ERROR",
    run: make,
  })),
  ...odd,
];
