import { type Elasticity, readElasticity, rigid } from "../advertise/elasticity.ts";
import { withoutRequired } from "../advertise/envelope-schema.ts";
import { wrapData } from "../contract/envelope.ts";
import { type JsonValue, isJsonObject } from "../json/json-value.ts";
import { dialects } from "../pipeline/dialect/dialects.ts";
import type { FitContext, PipelineContext } from "../pipeline/parcel.ts";
import { renderParcel } from "../pipeline/render-parcel.ts";
import type { CalledTool, ToolCall } from "./called-tool.ts";
import type { ContractState } from "./contract-state.ts";
import { RETRIEVE_TOOL } from "../contract/wire-names.ts";
import { textDigester } from "./text-digester.ts";
import { jsonSchemaOf } from "./standard-schema.ts";

const elasticities = new WeakMap<object, Elasticity>();

function elasticityOf({ config, listedSchema, isUnlisted }: CalledTool): Elasticity {
  if (isUnlisted === true) return rigid;
  const key = listedSchema ?? config;
  const known = elasticities.get(key);
  if (known !== undefined) return known;
  const schema = listedSchema ?? jsonSchemaOf(config.outputSchema, "output");
  const found = readElasticity(schema === undefined ? undefined : withoutRequired(schema));
  elasticities.set(key, found);
  return found;
}

const MAX_QUERY_LENGTH = 2_000;

/** The words of a call: every text among its arguments, however deep. */
function wordsOf(args: unknown): string {
  const words: string[] = [];
  const pending: unknown[] = [args];
  let length = 0;
  for (let next = pending.shift(); next !== undefined && length < MAX_QUERY_LENGTH; next = pending.shift()) {
    if (typeof next === "string" || typeof next === "number") words.push(String(next));
    else if (Array.isArray(next)) pending.push(...next.slice(0, 100));
    else if (isJsonObject(next)) pending.push(...Object.values(next).slice(0, 100));
    length = words.reduce((sum, word) => sum + word.length + 1, 0);
  }
  return words.join(" ").slice(0, MAX_QUERY_LENGTH);
}

const byteLength = (text: string): number => Buffer.byteLength(text);
const decodeBase64 = (text: string): Uint8Array => Buffer.from(text, "base64");
const asItIs = (data: JsonValue): JsonValue => data;

/** What `fit` needs for a call that has a budget. */
export function fitContextOf(state: ContractState, call: ToolCall, context: PipelineContext): FitContext {
  const { tool, contract, args, identity } = call;
  const dialect = dialects[contract.dialect];
  const { strategy, maxBlobBytes, mayCutBare } = contract.tool;
  const query = strategy === "head" ? undefined : wordsOf(args);
  const hasSchema =
    tool.listedSchema === undefined ? tool.config.outputSchema !== undefined : tool.listedSchema !== null;
  return {
    budget: contract.budget,
    counter: state.counter,
    byteLength,
    decodeBase64,
    render: (parcel) => renderParcel(parcel, context),
    wrap: dialect.wrapsData === true ? wrapData : asItIs,
    canCut: dialect.carriesOmissions === true || mayCutBare(hasSchema),
    maxBlobBytes,
    strategy,
    query,
    digest: strategy === "digest" ? textDigester(query ?? "", state.log) : undefined,
    elasticity: () => elasticityOf(tool),
    idPath: tool.config.idPath,
    retrieveTool: state.archive.isOn ? RETRIEVE_TOOL : undefined,
    namesFullHash: identity.isAnonymous,
  };
}
