import { describe, expect, it } from "vitest";
import { countKeys } from "./count-keys.ts";
import type { JsonValue } from "./json-value.ts";

describe("countKeys", () => {
  it("counts the properties of all objects, __proto__ too", () => {
    const value = JSON.parse('{"a":[{"b":1},{"__proto__":{"c":null}}],"d":{}}') as JsonValue;
    expect(countKeys(value)).toBe(5);
    expect(countKeys("x")).toBe(0);
  });

  it("ignores what somebody added to Object.prototype", () => {
    Reflect.defineProperty(Object.prototype, "polluted", { value: 1, enumerable: true, configurable: true });
    const count = countKeys({ a: {} });
    Reflect.deleteProperty(Object.prototype, "polluted");
    expect(count).toBe(1);
  });
});
