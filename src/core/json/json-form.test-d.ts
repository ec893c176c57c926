/* oxlint-disable vitest/expect-expect -- here the compiler asserts */
import { describe, expectTypeOf, it } from "vitest";
import type { AsJson, JsonForm, NotJson } from "./json-form.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

interface Task {
  readonly id: string;
  readonly status: "done" | "pending";
  readonly parts: readonly Task[];
}

/** A list in itself. */
type Nested = string | readonly Nested[];

describe("JsonForm", () => {
  it("is the type that comes back: texts for dates, no undefined, nothing read-only", () => {
    expectTypeOf<JsonForm<{ readonly at: Date; readonly n: 1 | 2 }>>().toEqualTypeOf<{
      at: string;
      n: 1 | 2;
    }>();
    expectTypeOf<JsonForm<{ a?: number; b: string | undefined; c: undefined }>>().toEqualTypeOf<{
      a?: number;
      b?: string;
    }>();
    expectTypeOf<JsonForm<readonly [1, "a"]>>().toEqualTypeOf<[1, "a"]>();
    expectTypeOf<JsonForm<ReadonlyMap<string, number>>>().not.toBeAny();
  });

  it("goes into types that hold themselves", () => {
    expectTypeOf<JsonForm<Task>["parts"][number]["parts"][number]["status"]>().toEqualTypeOf<
      "done" | "pending"
    >();
    expectTypeOf<JsonForm<Nested>>().not.toBeAny();
    expectTypeOf<JsonForm<Record<string, Date>>>().toEqualTypeOf<Record<string, string>>();
  });

  it("is any JSON where nothing is known", () => {
    expectTypeOf<JsonForm<unknown>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<JsonForm<JsonValue>>().toEqualTypeOf<JsonValue>();
    expectTypeOf<JsonForm<{ rows: unknown }>>().toExtend<{ rows?: JsonValue }>();
  });
});

describe("AsJson", () => {
  it("is the type itself where JSON carries it", () => {
    expectTypeOf<Task>().toExtend<AsJson<Task>>();
    expectTypeOf<Nested>().toExtend<AsJson<Nested>>();
    expectTypeOf<JsonObject>().toExtend<AsJson<JsonObject>>();
    expectTypeOf<{ at: Date; link: URL; bytes: Buffer }>().toExtend<
      AsJson<{ at: Date; link: URL; bytes: Buffer }>
    >();
    expectTypeOf<unknown>().toExtend<AsJson<unknown>>();
    expectTypeOf<{ name: string; message: string }>().toExtend<AsJson<{ name: string; message: string }>>();
  });

  it("names what JSON cannot carry, at any depth", () => {
    interface Deep {
      readonly tasks: readonly { readonly tags: ReadonlySet<string> | null }[];
    }
    expectTypeOf<Deep>().not.toExtend<AsJson<Deep>>();
    expectTypeOf<AsJson<bigint>>().toEqualTypeOf<NotJson<"A bigint is no JSON. Send String(value).">>();
    expectTypeOf<{ size: number | bigint }>().not.toExtend<AsJson<{ size: number | bigint }>>();
    expectTypeOf<Uint8Array>().not.toExtend<AsJson<Uint8Array>>();
    expectTypeOf<RegExp>().not.toExtend<AsJson<RegExp>>();
    expectTypeOf<TypeError>().not.toExtend<AsJson<TypeError>>();
  });
});
