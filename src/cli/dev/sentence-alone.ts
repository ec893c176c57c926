// What a server under development prints if it cannot start because of its code or settings: one sentence. Node would
// print the line of our source that threw the error, and a stack trace into our code.

/** Runs in the server's process before its module, so it is text; it does not affect any other error. */
const program = `
process.on("uncaughtExceptionMonitor", (error) => {
  if (typeof error !== "object" || error === null || !(Symbol.for("waybill.ContractError") in error)) return;
  if (process.listenerCount("uncaughtException") > 0 || process.hasUncaughtExceptionCaptureCallback()) return;
  process.stderr.write(error.message + "\\n");
  process.exit(1);
});
`;

/** The arguments after `node` that reduce an error of a contract to one sentence. */
export const sentenceAlone = ["--import", `data:text/javascript,${encodeURIComponent(program)}`] as const;
