import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { MAX_INPUT_BYTES, readInput } from "../input/read-input.ts";
import { maskCredentials } from "../output/format-values.ts";
import { explainFault } from "./explain-fault.ts";

/** How a document is found and read; the same for `digest` and `verify`, since both must see the same text. */
export interface SourceOptions {
  readonly type?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly maxPages?: number | undefined;
  /** For a URL, in seconds. */
  readonly timeout?: number | undefined;
  readonly allowPrivate?: readonly string[] | undefined;
}

export interface Source {
  /** The name as given, or `stdin`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType?: string | undefined;
  /** The file's name, whose extension is a hint; stdin has none. */
  readonly fileName?: string | undefined;
  /** The final address after redirects. */
  readonly url?: string | undefined;
}

// At least two letters: C:// is a drive.
const hasScheme = /^[a-z][a-z0-9+.-]+:\/\//i;

/** The bytes of a file, of stdin for `-`, or of a URL; throws a CliError if they cannot be read. */
export async function loadDocument(
  given: string,
  options: SourceOptions,
  io: CliIo,
  onProgress?: (done: number, total?: number) => void,
): Promise<Source> {
  await checkPermits(options);
  if (hasScheme.test(given)) {
    const fetched = await fetchSource(given, options, onProgress);
    return { ...fetched, contentType: options.type ?? fetched.contentType };
  }
  const { name, bytes } = await readInput(given, io, options.maxBytes).catch((error: unknown) => {
    throw error instanceof CliError && error.errorCode === "TOO_LARGE" ? tooLarge(error) : error;
  });
  return { name, bytes, fileName: given === "-" ? undefined : given, contentType: options.type };
}

/** Before anything is read, and for a file too: a wrong option is wrong for every document. */
async function checkPermits({ allowPrivate = [] }: SourceOptions): Promise<void> {
  if (allowPrivate.length === 0) return;
  const { readPrivatePermits } = await import("../../engine/digest/fetching/address.ts");
  try {
    // The refusal repeats the entry, so passwords are masked; an entry with a password is never valid.
    readPrivatePermits(allowPrivate.map(maskCredentials));
  } catch (error) {
    throw explainFault(error, "");
  }
}

/** The advice of other commands is about tool results. */
function tooLarge({ message, errorCode, details = {} }: CliError): CliError {
  const remediation = "To read it all the same, give a larger --max-bytes.";
  return new CliError(message, { errorCode, details, remediation });
}

async function fetchSource(
  given: string,
  { maxBytes = MAX_INPUT_BYTES, timeout, allowPrivate = [] }: SourceOptions,
  onProgress: ((done: number, total?: number) => void) | undefined,
): Promise<Source> {
  const { createFetcher } = await import("../../engine/digest/fetching/create-fetcher.ts");
  try {
    const fetch = createFetcher({
      maxBytes,
      allowPrivate,
      ...(timeout === undefined ? {} : { timeoutMs: Math.max(1, Math.round(timeout * 1_000)) }),
    });
    const { url, bytes, contentType } = await fetch(given, onProgress === undefined ? {} : { onProgress });
    const fileName = new URL(url).pathname.split("/").at(-1) ?? "";
    return { name: given, url, bytes, fileName, contentType };
  } catch (error) {
    throw explainFault(error, given);
  }
}
