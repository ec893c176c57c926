import { describe, expect, it } from "vitest";
import { withoutRequired } from "./without-required.ts";

describe("withoutRequired", () => {
  it("asks for no field at any depth, and keeps a property of that name", () => {
    const schema = {
      type: "object",
      required: ["tasks"],
      properties: {
        required: { type: "boolean" },
        tasks: {
          type: "array",
          items: { type: "object", required: ["id"], properties: { id: { type: "string" } } },
        },
      },
    };
    expect(withoutRequired(schema)).toEqual({
      type: "object",
      properties: {
        required: { type: "boolean" },
        tasks: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
      },
    });
  });
});
