import { createHash } from "node:crypto";
import { contractClient } from "../../doors/client/index.ts";
import { createGateway } from "../../doors/gateway/index.ts";
import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import { loadCounter } from "../../core/tokens/token-counter.ts";
import { callOverHttp, textOf } from "./call-over-http.ts";
import { startDepot } from "./depot-server.ts";

/** One thing that the gateway does, with what went in and what came out. */
export interface Scene {
  readonly title: string;
  readonly call: string;
  readonly says: string;
  readonly tokens: number;
  readonly json: JsonValue;
  readonly [key: string]: JsonValue;
}

const BUDGET_TOKENS = 1_000;

/** Starts a server and a gateway in front of it, both on loopback, and makes the calls that show what it is for. */
export async function gatewayTour(): Promise<readonly Scene[]> {
  const depot = await startDepot();
  const gateway = createGateway({
    upstreams: { depot: { url: depot.url, budget: { tokens: BUDGET_TOKENS } } },
    http: { port: 0 },
    store: "memory",
    logLevel: "silent",
  });
  try {
    const { urls } = await gateway.listen();
    return await playScenes(depot.url, urls["depot"] ?? "");
  } finally {
    await gateway.close();
    await depot.close();
  }
}

async function playScenes(direct: string, through: string): Promise<readonly Scene[]> {
  const counter = await loadCounter("o200k_base").catch(() => undefined);
  const costOf = (text: string): number => counter?.count(text) ?? Buffer.byteLength(text);
  const scenes: Scene[] = [];
  const play = async (url: string, tool: string, args: JsonObject, title: string, says: string) => {
    const text = textOf(await callOverHttp(url, tool, args));
    const json = asJson(text);
    scenes.push({ title, call: `${tool} ${JSON.stringify(args)}`, says, tokens: costOf(text), json });
  };

  await play(
    direct,
    "parcel_list",
    {},
    "without the gateway",
    "600 parcels, all of them for the model to read",
  );
  const cutSays = `cut to fit ${BUDGET_TOKENS} tokens: it says what is missing, and where the whole is kept`;
  await play(through, "parcel_list", {}, "cut", cutSays);

  const tools = contractClient(({ name, arguments: args = {} }) => callOverHttp(through, name, args));
  const cut = await tools.call("parcel_list");
  const [hash = ""] = Object.values(cut.archives);
  const archive = hash.slice("sha256:".length);
  const itemSays = "one of those that were left out, by its id";
  await play(through, "waybill_retrieve", { archive, ids: ["P-0411"] }, "retrieval", itemSays);

  const { data } = await tools.complete(cut);
  const found = createHash("sha256").update(JSON.stringify(data)).digest("hex");
  scenes.push(verified(hash, `sha256:${found}`, costOf(JSON.stringify(data))));

  const select = "count_by(parcels, &status)";
  await play(
    through,
    "waybill_retrieve",
    { archive, select },
    "question",
    "computed over the whole, in one call",
  );
  const missing = { id: "P-4110" };
  await play(
    direct,
    "parcel_get",
    missing,
    "a failure, without the gateway",
    "a sentence, and what to do is a guess",
  );
  await play(through, "parcel_get", missing, "a failure", "a code, whether to try again, and what to do");
  return scenes;
}

function verified(announced: string, found: string, tokens: number): Scene {
  const says =
    announced === found ? "all 600 are back, and have the hash that the cut announced" : "not as announced";
  return {
    title: "the whole",
    call: "complete() of waybill/client",
    says,
    tokens,
    json: { announced, found },
  };
}

function asJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
