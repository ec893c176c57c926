import { failure } from "./good-server.ts";
import type { Asked, Json, RawTool } from "./raw-server.ts";

/** A result that names the dialect it is written in. */
export function underContract(dialect: string, result: Json): Json {
  return { ...result, _meta: { "waybill/contract": { dialect, profile: "standard" } } };
}

/** A tool without arguments that always gives the same answer. */
export function sampleTool(name: string, answer: (asked: Asked) => Json | Promise<Json>): RawTool {
  return {
    definition: {
      name,
      title: "Show a sample",
      description: `Returns the sample ${name}, which never changes.`,
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run: (args, asked) => {
      const [extra] = Object.keys(args);
      if (extra === undefined) return answer(asked);
      return failure(
        "INVALID_ARGUMENTS",
        `The argument ${extra} is not known`,
        "Call again without arguments",
      );
    },
  };
}
