import { describe, expect, test } from "vitest";
import * as z from "zod";
import { DataFiles } from "../../../examples/workshop/data-files.ts";
import { customersDestroyTool, customersListTool } from "../../../examples/workshop/tools/customers.ts";
import { researchTool } from "../../../examples/workshop/tools/research.ts";
import { specTool } from "../../../examples/workshop/tools/spec.ts";
import { taskTool } from "../../../examples/workshop/tools/task.ts";
import { defineTool, type AnyTool } from "../../engine/settings/tool-definition.ts";
import { authorRules } from "../../core/rules/author/author-rules.ts";
import { createContract } from "./create-contract.ts";
import { lintTools, type LintOptions } from "./lint-tools.ts";

const orders = z.object({ orders: z.array(z.object({ id: z.string() })) });

const good = defineTool(
  "find_orders",
  {
    description: "Finds the orders of a customer, newest first.",
    inputSchema: z.object({ customer: z.string() }),
    outputSchema: orders,
    annotations: { readOnlyHint: true },
  },
  () => ({ orders: [] }),
);

/** The good tool with other options, as code without types could write them. */
function tool(config: object, name = "find_orders"): AnyTool {
  return { name, config: { ...good.config, ...config }, handler: good.handler };
}

async function rulesOf(tools: readonly AnyTool[], options?: LintOptions): Promise<readonly string[]> {
  const found = await lintTools(tools, options);
  return found.map(({ rule, tool: about, path }) => `${rule} ${about ?? "-"} ${path}`.trimEnd());
}

describe("lintTools", () => {
  test("finds nothing in a good tool", async () => {
    await expect(lintTools([good])).resolves.toEqual([]);
    await expect(lintTools([])).resolves.toEqual([]);
  });

  test("says which rule, which tool, how grave, where, what and how to mend it", async () => {
    await expect(lintTools([tool({ timeoutMS: 5 })])).resolves.toEqual([
      {
        rule: "author/options",
        tool: "find_orders",
        severity: "error",
        path: "/timeoutMS",
        message: '"timeoutMS" is not a known key. Did you mean "timeoutMs"?',
        hint: expect.stringContaining("defineTool()"),
      },
    ]);
  });

  const unlimited: LintOptions = { contract: { budget: { tokens: "off" } } };
  const text = z.string();

  const broken: readonly (readonly [string, AnyTool, LintOptions?])[] = [
    ["author/options find_orders /budget/tokens", tool({ budget: { tokens: "8k" } })],
    ["author/options waybill_retrieve /name", tool({}, "waybill_retrieve")],
    ["author/options find_orders /handler", { ...good, handler: undefined as never }],
    ["author/options tool 1 /name", { ...good, name: "" }],
    ["author/options find orders /name", { ...good, name: "find orders" }],
    ["author/listable find_orders", tool({ outputSchema: z.object({ at: z.date() }) })],
    ["author/listable find_orders", tool({ inputSchema: z.string() })],
    [
      "author/input-possible find_orders /inputSchema/properties/at",
      tool({ inputSchema: z.object({ at: z.date() }) }),
    ],
    [
      "author/fault-text find_orders /errors/bad/remediation",
      tool({
        errors: {
          bad: { code: "VALIDATION_ERROR", when: "It is bad", remediation: "Write: const id = read(1);" },
        },
      }),
    ],
    ["author/failure-by-hand find_orders", { ...good, handler: () => ({ success: false, error: "None" }) }],
    ["author/list-bounded find_orders /outputSchema/properties/orders", good, unlimited],
    [
      "author/list-bounded listOrders",
      tool({ outputSchema: undefined, description: "All orders there are." }, "listOrders"),
      unlimited,
    ],
    ["tools-list/description find_orders /description", tool({ description: " " })],
    ["tools-list/description find_orders /description", tool({ description: undefined })],
    ["definition/description-is-name find_orders /description", tool({ description: "Find orders" })],
    ["definition/name-portable orders.find /name", tool({}, "orders.find")],
    [
      "definition/annotation-names find_orders /annotations/readonlyHint",
      tool({ annotations: { readonlyHint: true } }),
    ],
    ["definition/annotations delete_order /annotations/readOnlyHint", tool({}, "delete_order")],
    [
      "definition/field-description find_orders /inputSchema/properties",
      tool({ inputSchema: z.object({ customer: text, status: text }) }),
    ],
    [
      "definition/format-known find_orders /inputSchema/properties/id/format",
      tool({ inputSchema: z.object({ id: z.ulid() }) }),
    ],
    [
      "definition/tokens find_orders",
      tool({ inputSchema: z.object({ kind: z.enum(Array.from({ length: 900 }, (_, at) => `kind-${at}`)) }) }),
    ],
    [
      "definition/input-schema-choice find_orders /inputSchema/anyOf",
      tool({ inputSchema: z.union([z.object({ a: text }), z.object({ b: text })]) }),
    ],
  ];

  test.each(broken.map(([rule, one, options]) => ({ rule, one, options })))(
    "$rule is found alone (%#)",
    async ({ rule, one, options }) => {
      await expect(rulesOf([one], options)).resolves.toEqual([rule]);
    },
  );

  test("a tool whose own data cannot be written as JSON is told in one line", async () => {
    const meta: Record<string, unknown> = {};
    meta["self"] = meta;
    const found = await lintTools([tool({ _meta: meta })]);
    expect(found.map(({ rule, message }) => [rule, message])).toEqual([
      ["author/listable", "Converting circular structure to JSON"],
    ]);
  });

  test("every rule about what an author wrote is shown above", () => {
    expect(authorRules.map(({ id }) => id)).toEqual([
      "author/options",
      "author/listable",
      "author/input-possible",
      "author/fault-text",
      "author/failure-by-hand",
      "author/list-bounded",
    ]);
  });

  test.each<[string, () => unknown]>([
    ["a text", () => "{ success: false, error: 'None' }"],
    ["a flag without an error", () => ({ success: false, orders: [] })],
    ["two objects", () => [{ success: false }, { error: null }]],
    ["a success", () => ({ success: true, error: null })],
  ])("a failure that is written by hand is not seen in %s", async (_, handler) => {
    await expect(rulesOf([{ ...good, handler }])).resolves.toEqual([]);
  });

  test("a failure that is written by hand is a remark, and the way out is errorResponse", async () => {
    const handler = async () => ({ error: "None", success: false });
    const [found] = await lintTools([{ ...good, handler }]);
    expect(found).toMatchObject({
      severity: "info",
      hint: expect.stringContaining("errorResponse(message, { errorCode })"),
    });
  });

  test("arguments that no JSON satisfies are told at their place, with the way out", async () => {
    const node = z.object({
      get inner() {
        return z.optional(node);
      },
      at: z.date().nullable(),
    });
    const inputSchema = z.object({
      when: z.date().optional(),
      count: z.bigint().default(1n),
      byId: z.map(text, text),
      tags: z.array(z.set(text)),
      pair: z.tuple([z.bigint()]),
      any: z.record(text, z.date()),
      both: z.union([z.date(), z.bigint()]),
      node,
    });
    const found = await lintTools([tool({ inputSchema })], { ignore: ["definition"] });
    expect(
      found.map(({ severity, path }) => `${severity} ${path.slice("/inputSchema/properties/".length)}`),
    ).toEqual([
      "error when",
      "error count",
      "error byId",
      "error tags/items",
      "error pair/prefixItems/0",
      "error any/additionalProperties",
      "error both",
      "error node/properties/at",
    ]);
    expect(found[0]?.message).toBe(
      "JSON has no date, so every call that sends this is refused. Take a text and make the date of it: z.iso.datetime().transform((text) => new Date(text))",
    );
  });

  test("what is made of JSON may be a date, a bigint, a map or a set", async () => {
    const inputSchema = z.object({
      when: z.coerce.date(),
      at: z.iso.datetime().transform((given) => new Date(given)),
      made: z.preprocess((given) => new Date(String(given)), z.date()),
      both: z.codec(z.iso.datetime(), z.date(), {
        decode: (given) => new Date(given),
        encode: (date) => date.toISOString(),
      }),
      count: z.coerce.bigint(),
      either: z.union([z.date(), text]),
      tags: z.array(text).transform((items) => new Set(items)),
    });
    await expect(rulesOf([tool({ inputSchema })], { ignore: ["definition"] })).resolves.toEqual([]);
  });

  test("a list has an end where it is paged, takes a limit or is in a budget", async () => {
    const limited = z.object({ customer: text, limit: z.int() });
    const described = tool({ inputSchema: limited });
    const bounded = [tool({ paging: true }), described, tool({ budget: { bytes: 9_000 } })];
    for (const one of bounded)
      await expect(rulesOf([one], { ...unlimited, ignore: ["definition"] })).resolves.toEqual([]);
    const ended = z.object({ orders: z.array(text).max(5) });
    await expect(rulesOf([tool({ outputSchema: ended })], unlimited)).resolves.toEqual([]);
  });

  test("judges tools beside each other", async () => {
    const other = tool({ description: "Looks for what was bought." }, "Find-Orders");
    await expect(rulesOf([good, other])).resolves.toEqual(["definition/name-ambiguous Find-Orders /name"]);
    await expect(rulesOf([good, good])).resolves.toEqual(["tools-list/name-unique find_orders /name"]);
  });

  test("tells all that is wrong with a tool at once", async () => {
    const broken = tool({ timeoutMS: 5, cost: -1, description: "" });
    await expect(rulesOf([broken])).resolves.toEqual([
      "author/options find_orders /cost",
      "author/options find_orders /timeoutMS",
      "tools-list/description find_orders /description",
    ]);
  });

  test("takes a contract as well as its options, and calls no tool", async () => {
    const contract = createContract({ name: "shop", budget: { tokens: "off" }, tools: [good] });
    await expect(rulesOf(contract.tools, { contract })).resolves.toHaveLength(1);
    await contract.close();
  });

  test("leaves out rules and groups by name, and knows a misspelt one", async () => {
    const broken = tool({ description: "" }, "orders.find");
    await expect(rulesOf([broken], { ignore: ["definition", "tools-list/description"] })).resolves.toEqual(
      [],
    );
    const misspelt = lintTools([good], { ignore: ["definition/token"] });
    await expect(misspelt).rejects.toThrow('Did you mean "definition/tokens"?');
  });

  test.each<readonly [unknown, unknown, string]>([
    [good, {}, "What it is given is not a list of tools. Write [tool, …]."],
    [[good], { ignored: [] }, 'Did you mean "ignore"?'],
    [[good], { contract: 5 }, "Write a contract, or the options of one."],
    [[good], { contract: { budgets: {} } }, 'Did you mean "budget"?'],
  ])("refuses wrong use (%#)", async (tools, options, sentence) => {
    await expect(lintTools(tools as AnyTool[], options as LintOptions)).rejects.toThrow(sentence);
  });

  test.each([undefined, null, 5, "find_orders", {}])(
    "a list with %s in it has a wrong tool",
    async (value) => {
      const found = await lintTools([value as never, good]);
      expect(found.map(({ rule, tool: about }) => [rule, about])).toEqual([["author/options", "tool 1"]]);
    },
  );

  test("finds nothing in the tools of the workshop", async () => {
    const data = new DataFiles();
    const tools = [specTool, taskTool, customersListTool, customersDestroyTool].map((make) => make(data));
    await expect(lintTools([...tools, researchTool(data, {})])).resolves.toEqual([]);
  });
});
