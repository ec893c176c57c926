import { successResponse } from "../contract/success-responses.ts";
import { isJsonObject } from "../json/json-value.ts";
import {
  retrieveDescription,
  retrieveInputSchema,
  retrieveOutputSchema,
} from "../retrieval/retrieve-schemas.ts";
import type { ContractState } from "./contract-state.ts";
import { RETRIEVE_TOOL } from "../contract/wire-names.ts";
import { openSchema } from "./standard-schema.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** Gives back what was cut from an earlier result; its own answers are pages, never cut, never kept. */
export function retrieveTool(state: ContractState): ToolDefinition {
  const known = made.get(state) ?? makeTool(state);
  made.set(state, known);
  return known;
}

const made = new WeakMap<ContractState, ToolDefinition>();

function makeTool(state: ContractState): ToolDefinition {
  return {
    name: RETRIEVE_TOOL,
    config: {
      title: "Fetch what was left out",
      description: retrieveDescription,
      inputSchema: openSchema(retrieveInputSchema),
      outputSchema: openSchema(retrieveOutputSchema),
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
      // Its answers hold a result of whatever shape, so one form must be enough for all of them.
      dialects: [],
      encoding: "json",
    },
    handler: async (args, ctx) => {
      const given = isJsonObject(args) ? args : {};
      // Loaded by the first call: most servers never get one.
      const { retrieve } = await import("../retrieval/retrieve.ts");
      const counter = await state.counter();
      const { data, pagination } = await retrieve(given, {
        store: await state.archive.store(),
        tenant: ctx.tenant,
        needsHash: ctx.isAnonymous,
        budgetTokens: tokensOf(ctx.budget),
        count: (text, limit) => counter.count(text, limit),
        cursorKeys: await state.cursorKeys(),
        idPaths: state.effective.idPaths(),
        now: state.options.now,
      });
      return successResponse(data, { requestId: false, pagination });
    },
  };
}

/** A budget in bytes is a budget in tokens too, because no token is shorter than a byte. */
function tokensOf({ tokens, bytes }: { readonly tokens: number | "off"; readonly bytes: number | "off" }) {
  if (bytes === "off") return tokens;
  return tokens === "off" ? bytes : Math.min(tokens, bytes);
}
