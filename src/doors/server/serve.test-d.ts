import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { ToolsOf } from "../client/index.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { serve } from "./serve.ts";

const taskGet = defineTool(
  "task_get",
  { description: "One task", inputSchema: z.object({ id: z.string() }) },
  ({ id }) => ({ task: { id } }),
);
const base = { name: "tasks", version: "1.0.0", tools: [taskGet] } as const;

describe("serve", () => {
  it("gives a contract that a client's types can be read off", () => {
    const start = () => serve(base);
    type Contract = Awaited<ReturnType<typeof start>>["contract"];
    expectTypeOf<keyof ToolsOf<Contract>>().toEqualTypeOf<"task_get">();
  });

  it("takes the options of a contract, and needs name, version and tools", () => {
    const all = () =>
      serve({ ...base, dialect: "plain", budget: { tokens: 1 }, http: 0, auth: async () => "ada" });
    expectTypeOf(all).returns.resolves.toHaveProperty("url");
    // @ts-expect-error a version is needed
    const withoutVersion = () => serve({ name: "tasks", tools: [taskGet] });
    // @ts-expect-error a principal has a subject
    const withoutSubject = () => serve({ ...base, auth: () => ({ scopes: ["read"] }) });
    // @ts-expect-error no such option
    const unknown = () => serve({ ...base, dialct: "plain" });
    void [withoutVersion, withoutSubject, unknown];
  });
});
