import type { ThreadKind } from "../../../engine/runtime/worker-thread.ts";
import { READY } from "./apart-messages.ts";

/** The threads that deliver large results. In its own file, because the entry file is found relative to its address. */
export const apartThread: ThreadKind = {
  file: "result-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof READY>).name === READY.name,
};
