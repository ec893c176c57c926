// What lean knows of one call: the server's presets, the arguments that its tools take, and what the tool's output schema
// asks of its data.

import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { LeanContext, LeanServer } from "../../core/pipeline/pipeline-context.ts";
import { presetsFor } from "../../core/pipeline/shape/lean/lean-rules.ts";
import type { CalledTool, ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { type ToolSchemas, hasSchema } from "./tool-schemas.ts";

/** What the tools of a server say, by their names. */
export function leanServerOf(
  serverName: string | undefined,
  tools: ReadonlyMap<string, Pick<CalledTool, "schemas">>,
): LeanServer {
  const names = new Set<string>();
  for (const { schemas } of tools.values()) for (const name of schemas.inputFacts.names) names.add(name);
  return { presets: presetsFor(serverName, tools.keys()), arguments: [...names] };
}

interface ResultForm {
  /** Whether the result can say that something of it is missing. */
  readonly canTell: boolean;
  readonly isBareText: boolean;
  readonly wrap: (data: JsonValue) => JsonValue;
}

/** Undefined if the results of the call stay as they are. */
export function leanContextOf(
  state: ContractState,
  { tool, identity, contract }: ToolCall,
  { canTell, isBareText, wrap }: ResultForm,
): LeanContext | undefined {
  const { limits, inputFacts } = tool.schemas;
  if (!canTell || !state.archive.keeps(contract.tool) || limits.bindsFields) return undefined;
  // Our own answers are what was asked for; the author's text is what models read; of an unlisted tool nothing is known.
  if (tool.answersRetrieval === true || tool.config.format !== undefined || tool.isUnlisted === true)
    return undefined;
  return {
    get server() {
      return tool.leanServer?.() ?? ownServer(state);
    },
    required: limits.required,
    keepsSchema: hasSchema(tool) ? (data) => keepsSchema(tool.schemas, data) : undefined,
    opensTexts: !limits.bindsTexts,
    isDocument: inputFacts.takesPlace,
    counter: state.counter,
    keep: (part) => state.archive.keepFor(identity.tenant, contract.tool)(part),
    wrap: isBareText ? undefined : wrap,
    retrieveTool: tool.retrieveName ?? state.retrieveName,
    namesFullHash: identity.isAnonymous,
  };
}

function keepsSchema(schemas: ToolSchemas, data: JsonValue): boolean {
  return !isJsonObject(data) || schemas.fits(data);
}

/** By the tools of a contract, with how many they were. */
const ownServers = new WeakMap<object, { readonly count: number; readonly server: LeanServer }>();

/** The tools of this server that were registered so far. */
function ownServer({ kept, options }: ContractState): LeanServer {
  const { tools = new Map<string, ToolSchemas>() } = kept;
  const known = ownServers.get(tools);
  if (known?.count === tools.size) return known.server;
  const server = leanServerOf(
    options.name,
    new Map([...tools].map(([name, schemas]) => [name, { schemas }])),
  );
  ownServers.set(tools, { count: tools.size, server });
  return server;
}
