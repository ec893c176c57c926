import type { ThreadKind } from "../../runtime/worker-thread.ts";
import { READY } from "./question-messages.ts";

/** The threads that answer questions. In its own file, because the entry file is searched for beside this file. */
export const questionThread: ThreadKind = {
  file: "question-worker",
  here: import.meta.url,
  isReady: (message) => (message as Partial<typeof READY>).name === READY.name,
};
