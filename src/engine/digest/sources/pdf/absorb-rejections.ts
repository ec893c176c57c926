// pdf.js asks for all pages at once when it opens a file and drops the promises that it turns out not to need. In a
// damaged file these reject with nobody listening, and Node ends the process for that. So while a PDF is read, what
// pdf.js drops is caught; every other rejection is handled as usual.

/** What is used of Node's `process`; other runtimes have none, and do not end for this. */
interface Host {
  on(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
  off(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
  listenerCount(event: "unhandledRejection"): number;
}

/** The errors that the reading half of pdf.js throws. Its classes are not exported. */
const pdfErrors: ReadonlySet<string> = new Set([
  "AbortException",
  "FormatError",
  "InvalidPDFException",
  "MissingDataException",
  "ParserEOFException",
  "UnknownErrorException",
  "XRefEntryException",
  "XRefParseException",
]);

function hostOf(): Host | undefined {
  const { process } = globalThis as { readonly process?: Partial<Host> };
  return typeof process?.on === "function" && typeof process.listenerCount === "function"
    ? (process as Host)
    : undefined;
}

function absorb(reason: unknown): void {
  if (reason instanceof Error && pdfErrors.has(reason.name)) return;
  // A listener takes the place of ending the process: where no other is there, that is done here.
  if (hostOf()?.listenerCount("unhandledRejection") === 1) throw reason;
}

let readers = 0;

/** Runs something that reads a PDF, without its dropped promises ending the process. */
export async function absorbRejections<T>(run: () => Promise<T>): Promise<T> {
  const host = hostOf();
  if (host === undefined) return run();
  if (readers++ === 0) host.on("unhandledRejection", absorb);
  try {
    return await run();
  } finally {
    // Node reports them only after everything that is ready has run.
    await new Promise((resolve) => setTimeout(resolve));
    if (--readers === 0) host.off("unhandledRejection", absorb);
  }
}
