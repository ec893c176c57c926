import { advertiseInput } from "../advertise/input-schema.ts";
import { advertiseOutput, withoutRequired } from "../advertise/envelope-schema.ts";
import type { JsonObject } from "../json/json-value.ts";
import type { ContractState } from "./contract-state.ts";
import { jsonSchemaOf } from "./standard-schema.ts";
import type { ToolDefinition } from "./tool-definition.ts";

const emptyInput: JsonObject = { type: "object", properties: {} };

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: Readonly<Record<string, unknown>>;
  readonly icons?: readonly Readonly<Record<string, unknown>>[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
}

/** What `tools/list` says: the SDK's own fields, and schemas that hold for every answer this tool can give. */
export function describeTool({ effective }: ContractState, tool: ToolDefinition): ToolDescription {
  const { name, config } = tool;
  const contract = effective.toolContract(tool);
  const { title, description, annotations, icons, _meta } = config;
  const input = advertiseInput(jsonSchemaOf(config.inputSchema, "input") ?? emptyInput, {
    waybillArgument: contract.takesWaybill,
  });
  const whole = jsonSchemaOf(config.outputSchema, "output");
  const own = whole !== undefined && contract.mayLackFields ? withoutRequired(whole) : whole;
  const output =
    contract.delivery === "text" || contract.hidesSchema
      ? undefined
      : advertiseOutput(own, {
          dialects: contract.advertisedDialects,
          tables: contract.encoding === "table",
        });
  if (output !== undefined) effective.advertise(tool, whole ?? output);
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(icons === undefined ? {} : { icons }),
    ...(_meta === undefined ? {} : { _meta }),
    inputSchema: input,
    ...(output === undefined ? {} : { outputSchema: output }),
  };
}
