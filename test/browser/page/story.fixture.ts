// What the page does: a client over nothing but fetch, against the workshop behind the same origin.
import { type CallFunction, type ContractClient, contractClient, hasCode } from "waybill/client";

/** The result in a JSON-RPC answer, sent as JSON or as one server-sent event. */
function resultIn(text: string): unknown {
  const [, event] = /^data: (.*)$/m.exec(text) ?? [];
  return (JSON.parse(event ?? text) as { readonly result: unknown }).result;
}

let id = 0;

const callOverFetch: CallFunction = async (params, { signal }) => {
  const response = await fetch("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params }),
    ...(signal === undefined ? {} : { signal }),
  });
  return resultIn(await response.text());
};

/** The same, but the archive gives other words than those that were kept. */
const tampered: CallFunction = async (params, options) => {
  const result = await callOverFetch(params, options);
  if (params.name !== "waybill_retrieve") return result;
  return JSON.parse(JSON.stringify(result).replaceAll("finding-005", "finding-006")) as unknown;
};

const report = { action: "report", research_id: "research-001" };

async function codeOf(failing: Promise<unknown>): Promise<string> {
  try {
    await failing;
    return "no error";
  } catch (error) {
    return hasCode(error, "HASH_MISMATCH", "NOT_FOUND") ? error.code : String(error);
  }
}

async function taskIds(tools: ContractClient): Promise<unknown[]> {
  const ids: unknown[] = [];
  const query = { action: "query", spec_id: "platform", page_size: 40 };
  for await (const task of tools.items("task", query, { path: "tasks" })) {
    ids.push((task as { readonly task_id: string }).task_id);
  }
  return ids;
}

async function tell(): Promise<object> {
  const tools = contractClient(callOverFetch);
  // The page sends no token, so its warning names the archive by the whole hash, which takes more room.
  const cut = await tools.call("research", report, { budget: 440 });
  const whole = await tools.complete(cut);
  const [record] = await tools.retrieve(cut, ["finding-004"]);
  const ids = await taskIds(tools);
  return {
    cut: { fidelity: cut.fidelity, dropped: cut.dropped },
    whole: { fidelity: whole.fidelity, findings: (whole.data as { findings: unknown[] }).findings.length },
    record: record?.pointer,
    tampered: await codeOf(contractClient(tampered).complete(cut)),
    missing: await codeOf(tools.call("research", { ...report, research_id: "nowhere" })),
    tasks: { count: ids.length, different: new Set(ids).size },
    // Loaded when they are met: the strict validator, and the readers of other dialects.
    strict: (await contractClient(callOverFetch, { strict: true }).call("research", report)).fidelity,
    scalpel: (await tools.call("analyze_code", { path: "/store.py" })).dialect,
  };
}

Object.assign(globalThis, { story: tell() });
