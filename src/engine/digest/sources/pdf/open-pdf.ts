import { refuseFor } from "../reader-packages.ts";
import { unreadableDocument } from "../unreadable.ts";
import type { TextRun } from "./join-lines.ts";

/** The parts of pdf.js that are used; its own types need the DOM. */
export interface PdfPage {
  streamTextContent(): ReadableStream<{
    readonly items: readonly (TextRun | { readonly type: string })[];
    readonly styles: Readonly<Record<string, { readonly vertical: boolean }>>;
  }>;
  cleanup(): boolean;
}

export interface PdfDocument {
  readonly numPages: number;
  getPage(number: number): Promise<PdfPage>;
  getMetadata(): Promise<{ readonly info: object }>;
}

interface LoadingTask {
  readonly promise: Promise<PdfDocument>;
  destroy(): Promise<void>;
}

/** Everything that could print, fetch, compile code or draw is off: only the file's own bytes are read. */
const QUIET = {
  verbosity: 0,
  isEvalSupported: false,
  useWorkerFetch: false,
  useSystemFonts: true,
  disableFontFace: true,
  fontExtraProperties: false,
  useWasm: false,
  enableXfa: false,
  isImageDecoderSupported: false,
  isOffscreenCanvasSupported: false,
  stopAtErrors: false,
} as const;

/** Opens a PDF, passes it on with the names of missing character maps, and always releases it. */
export async function withPdf<T>(
  bytes: Uint8Array,
  use: (document: PdfDocument, refused: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const { getResolvedPDFJS } = await import("unpdf").catch(refuseFor("pdf"));
  const { getDocument } = (await getResolvedPDFJS()) as unknown as {
    readonly getDocument: (options: object) => LoadingTask;
  };
  const refused = new Set<string>();
  return absorbRejections(async () => {
    // pdf.js takes over the buffer and leaves an empty one behind, so it gets a copy.
    const task = getDocument({ ...QUIET, BinaryDataFactory: refuser(refused), data: new Uint8Array(bytes) });
    try {
      return await use(await opened(task), refused);
    } finally {
      await task.destroy().catch(() => undefined);
    }
  });
}

/** Replaces the part of pdf.js that fetches fonts and character maps: it fetches nothing and notes the requests. */
function refuser(refused: Set<string>) {
  return class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<never> {
      if (kind === "cMapUrl") refused.add(filename.replace(/\.bcmap$/, ""));
      throw new Error("Nothing is fetched");
    }
  };
}

async function opened(task: LoadingTask): Promise<PdfDocument> {
  try {
    return await task.promise;
  } catch (error) {
    throw (error as Error | undefined)?.name === "PasswordException" ? encrypted(error) : damaged(error);
  }
}

function encrypted(cause: unknown): Error {
  return unreadableDocument("The PDF is encrypted and opens only with a password", {
    reason: "encrypted_pdf",
    remediation: "Save a copy without a password, and digest that one.",
    cause,
  });
}

/** The error for a PDF of which nothing can be read. */
export function damaged(cause?: unknown): Error {
  return unreadableDocument("The PDF is damaged or cut off, and no page of it can be read", {
    reason: "damaged_pdf",
    remediation: "Fetch the file again or export it again; check that it opens in a PDF viewer.",
    cause,
  });
}

// pdf.js requests all pages at once when it opens a file and drops the promises that it does not need. In a
// damaged file these reject without a handler, for which Node ends the process. So while a PDF is read,
// rejections of pdf.js are caught; every other rejection is handled as usual.

/** The parts of Node's `process` that are used; other runtimes have none, and do not end for this. */
interface Host {
  on(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
  off(event: "unhandledRejection", listener: (reason: unknown) => void): unknown;
  listenerCount(event: "unhandledRejection"): number;
}

/** The errors of the reading half of pdf.js. Its classes are not exported. */
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
  // A listener keeps Node from ending the process: if there is no other listener, this one must do it.
  if (hostOf()?.listenerCount("unhandledRejection") === 1) throw reason;
}

let readers = 0;

/** Runs code that reads a PDF, without its dropped promises ending the process. */
export async function absorbRejections<T>(run: () => Promise<T>): Promise<T> {
  const host = hostOf();
  if (host === undefined) return run();
  if (readers++ === 0) host.on("unhandledRejection", absorb);
  try {
    return await run();
  } finally {
    // Node reports them only after all pending work has run.
    await new Promise((resolve) => setTimeout(resolve));
    if (--readers === 0) host.off("unhandledRejection", absorb);
  }
}
