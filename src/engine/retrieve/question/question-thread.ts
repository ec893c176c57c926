import type { ThreadKind } from "../../runtime/worker-thread.ts";
import { READY } from "./question-messages.ts";

/** The threads that answer questions. In a file of its own: its address says where the entry file is looked for. */
export const questionThread: ThreadKind = {
  file: "question-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof READY>).name === READY.name,
};
