import { readFileSync } from "node:fs";
import { envelope, failure, goodServer, plainText } from "./good-server.ts";
import { type Json, type RawServer, isObject } from "./raw-server.ts";
import { sampleTool, underContract } from "./sample-tool.ts";

/** Examples of the source documents that keep every rule of their dialect. */
const samples: readonly [name: string, dialect: string, file: string][] = [
  ["task_page", "response-v2", "004-L012-standard-envelope.json"],
  ["bad_spec_id", "response-v2", "001-L218-error-response.json"],
  ["draft_page", "response-v2-draft", "000-L010-standard-envelope.json"],
  ["draft_failure", "response-v2-draft", "000-L049b-helper-error.json"],
  ["scan", "scalpel", "002-L097-success-debug.json"],
  ["scan_failure", "scalpel", "002-L127-error-debug.json"],
  ["customer", "drf", "003-L064-call-tool-success.json"],
  ["customer_failure", "drf", "003-L084-call-tool-error.json"],
  ["tasks", "response-v1", "004-L380-legacy-payload.json"],
  ["tasks_failure", "response-v1", "004-L380-legacy-error.json"],
];

// The servers are started at the root of the repository, bundled or not.
function resultOf(dialect: string, file: string): Json {
  const json = JSON.parse(readFileSync(`test/fixtures/seeds/${file}`, "utf8")) as Json;
  if (dialect === "drf") return underContract(dialect, json);
  const failed = json["success"] === false || isObject(json["error"]) || typeof json["error"] === "string";
  const flag = failed ? { isError: true } : {};
  const text = plainText(JSON.stringify(json));
  return underContract(dialect, { ...text, structuredContent: json, ...flag });
}

/** Some of it failed, and the answer says so. */
function batch(): Json {
  const data = { processed: 2, failed: 1, failures: [{ task_id: "task-003", error: "Missing file" }] };
  const message = "1 task failed to process";
  const context = { failed_count: 1, total_count: 3 };
  const warning = { code: "PARTIAL_FAILURE", severity: "warning", message, context };
  return underContract("response-v2", envelope(data, { warnings: [message], warning_details: [warning] }));
}

/** A server whose tools answer in every dialect, with successes and failures that keep its rules. */
export function samplesServer(): RawServer {
  const server = goodServer();
  server.tools = [
    ...samples.map(([name, dialect, file]) => sampleTool(name, () => resultOf(dialect, file))),
    sampleTool("batch", batch),
    sampleTool("busy", () => failure("RATE_LIMITED", "Too many calls", "Call again in 30 seconds")),
  ];
  return server;
}
