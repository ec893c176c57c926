// What a server under development says when it cannot start because of its code or its settings: the sentence. Node
// would print the line of our source that made the error, and where in our code it was made.

/** Runs in the server's process before its module, so it is text; it changes nothing for any other error. */
const program = `
process.on("uncaughtExceptionMonitor", (error) => {
  if (typeof error !== "object" || error === null || !(Symbol.for("waybill.ContractError") in error)) return;
  if (process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  process.stderr.write(error.message + "\\n");
  process.exit(1);
});
`;

/** What stands behind `node` so that an error of a contract is one sentence. */
export const sentenceAlone = ["--import", `data:text/javascript,${encodeURIComponent(program)}`] as const;
