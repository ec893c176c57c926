// The entry file of a worker thread that delivers large results. apart-messages.ts names it, the thread host locates it by its path, and no file
// imports it: a build must put it where that file looks for it.
import { parentPort } from "node:worker_threads";
import { keepKeysListed } from "../../../core/json/json-chunks.ts";
import { type ApartMessage, type ApartRequest, RESULT_READY } from "./apart-messages.ts";
import { type ApartPort, deliverBytes } from "./deliver-bytes.ts";

function tell(message: ApartMessage, given: readonly Uint8Array<ArrayBuffer>[] = []): void {
  parentPort?.postMessage(
    message,
    given.map(({ buffer }) => buffer),
  );
}

type Kept = Extract<ApartRequest, { readonly kind: "kept" }>;
let onKept: ((request: Kept) => void) | undefined;

const port: ApartPort = {
  tell,
  kept: () => new Promise((resolve) => (onKept = resolve)),
};

// The values parsed here are not shared with other code.
keepKeysListed();
parentPort?.on("message", (request: ApartRequest) => {
  if (request.kind === "kept") onKept?.(request);
  else void deliverBytes(request, port);
});
tell(RESULT_READY);
