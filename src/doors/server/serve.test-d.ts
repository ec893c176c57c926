import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import type { ToolsOf } from "../client/index.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { serveFetch } from "./serve-fetch.ts";
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
    // @ts-expect-error tokens of an issuer are for an audience
    const withoutAudience = () => serve({ ...base, auth: { jwt: { issuer: "i", jwks: "https://i/keys" } } });
    // @ts-expect-error tokens of an issuer are checked with its keys
    const withoutKeys = () => serve({ ...base, auth: { jwt: { issuer: "i", audience: "a" } } });
    void [withoutVersion, withoutSubject, unknown, withoutAudience, withoutKeys];
  });
});

describe("serveFetch", () => {
  it("is a function from a request to a response, with the contract that a client's types can be read off", () => {
    const made = () => serveFetch({ ...base, auth: { tokens: { ada: "sha256:" } } });
    expectTypeOf<ReturnType<typeof made>>().toExtend<(request: Request) => Promise<Response>>();
    expectTypeOf<keyof ToolsOf<ReturnType<typeof made>["contract"]>>().toEqualTypeOf<"task_get">();
    // @ts-expect-error it listens nowhere
    const listening = () => serveFetch({ ...base, http: 3000 });
    void listening;
  });
});
