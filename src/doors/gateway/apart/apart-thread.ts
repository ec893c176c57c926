import type { ThreadKind } from "../../../engine/runtime/worker-thread.ts";
import { READY } from "./apart-messages.ts";

/** The threads that deliver large results. In a file of its own: its address says where the entry file is looked for. */
export const apartThread: ThreadKind = {
  file: "result-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof READY>).name === READY.name,
};
