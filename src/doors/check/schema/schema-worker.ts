// The entry file of a worker thread that judges values by schemas. schema-judge.ts starts it by its path, and no file
// imports it: a build must put it where schema-judge.ts looks for it.
import { parentPort } from "node:worker_threads";
import { type SchemaVerdict, judgeTexts } from "./judge-value.ts";

function tell(message: SchemaVerdict | "ready"): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  parentPort?.postMessage(message);
}

parentPort?.on("message", ({ schema, value }: { readonly schema: string; readonly value: string }) =>
  tell(judgeTexts(schema, value)),
);
tell("ready");
