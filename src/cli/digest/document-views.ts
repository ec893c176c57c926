import type { VerifySource } from "../../digest/verified-form.ts";
import { readDocument } from "../../digest/sources/read-document.ts";
import { decodeUtf8 } from "../../json/decode-utf8.ts";
import { sha256 } from "../../text/sha256.ts";
import { explainFault } from "./explain-fault.ts";
import type { Source } from "./read-source.ts";
import type { SourceOptions } from "./source-options.ts";

/** The texts a source can be taken for; each is made once, when it is asked for. */
export interface DocumentViews {
  /** The text as it lies there, when it is what the hash is about: canonical text need not look like text. */
  plain(hash: string): Promise<VerifySource | undefined>;
  read(compat?: "foundry"): Promise<VerifySource>;
}

export function documentViews(
  source: Source,
  { maxBytes, maxPages }: SourceOptions,
  onProgress: ((done: number, total: number) => void) | undefined,
): DocumentViews {
  const { bytes, contentType, fileName: name } = source;
  const hash = once(async () => `sha256:${await sha256(new Uint8Array(bytes))}`);
  const readAs = (compat?: "foundry") =>
    once(() =>
      readDocument(bytes, { contentType, name, maxBytes, maxPages, compat, onProgress }).catch(
        (error: unknown) => {
          throw explainFault(error, source.name);
        },
      ),
    );
  const [ours, foundry] = [readAs(), readAs("foundry")];
  return {
    async plain(wanted) {
      if ((await hash()) !== wanted) return undefined;
      const decoded = decodeUtf8(bytes);
      return decoded.ok ? decoded.text : undefined;
    },
    read: (compat) => (compat === undefined ? ours() : foundry()),
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}
