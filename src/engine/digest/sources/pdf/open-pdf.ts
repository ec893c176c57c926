import { unreadable } from "../unreadable.ts";
import type { TextRun } from "./text-line.ts";

/** What is used of pdf.js, whose own types ask for the DOM. */
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

/** Opens a PDF, hands it over with the names of character maps that it lacks, and releases it whatever happens. */
export async function withPdf<T>(
  bytes: Uint8Array,
  use: (document: PdfDocument, refused: ReadonlySet<string>) => Promise<T>,
): Promise<T> {
  const { getResolvedPDFJS } = await import("unpdf");
  const { getDocument } = (await getResolvedPDFJS()) as unknown as {
    readonly getDocument: (options: object) => LoadingTask;
  };
  const refused = new Set<string>();
  return absorbRejections(async () => {
    // pdf.js takes the buffer for itself and leaves an empty one behind, so it gets a copy.
    const task = getDocument({ ...QUIET, BinaryDataFactory: refuser(refused), data: new Uint8Array(bytes) });
    try {
      return await use(await opened(task), refused);
    } finally {
      await task.destroy().catch(() => undefined);
    }
  });
}

/** What pdf.js would fetch fonts and character maps with: it fetches nothing and notes what was asked for. */
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
  return unreadable("The PDF is encrypted and opens only with a password", {
    reason: "encrypted_pdf",
    remediation: "Save a copy without a password, and digest that one.",
    cause,
  });
}

/** A PDF of which nothing can be read. */
export function damaged(cause?: unknown): Error {
  return unreadable("The PDF is damaged or cut off, and no page of it can be read", {
    reason: "damaged_pdf",
    remediation: "Fetch the file again or export it again; check that it opens in a PDF viewer.",
    cause,
  });
}

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
