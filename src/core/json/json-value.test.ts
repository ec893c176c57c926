import { describe, expect, it } from "vitest";
import { type JsonObject, mapObject, setOwn } from "./json-value.ts";

describe("setOwn", () => {
  it("makes __proto__ an own property and leaves the prototype alone", () => {
    const target: Record<string, unknown> = {};
    setOwn(target, "__proto__", { polluted: true });
    setOwn(target, "a", 1);
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
    expect(target["polluted"]).toBeUndefined();
    expect(JSON.stringify(target)).toBe('{"__proto__":{"polluted":true},"a":1}');
  });
});

describe("mapObject", () => {
  it("keeps order and __proto__, and drops undefined", () => {
    const object = JSON.parse('{"z":1,"__proto__":2,"a":3,"m":4}') as JsonObject;
    const mapped = mapObject(object, (value, key) => (key === "a" ? undefined : [key, value]));
    expect(JSON.stringify(mapped)).toBe('{"z":["z",1],"__proto__":["__proto__",2],"m":["m",4]}');
  });
});
