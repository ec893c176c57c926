// Memory of one digest, as JSON on stdout: the process's peak RSS above what it held before the document was there.
import { loadDigest } from "./built.ts";
import { digestTexts } from "./digest-texts.ts";

const [name = "prose", chars = "50000000", query = ""] = process.argv.slice(2);
const { digestDocument } = await loadDigest();
const options = { contentType: "text/plain", policy: "always", ...(query === "" ? {} : { query }) } as const;

// A first, small digest loads everything that is loaded once.
await digestDocument(digestTexts["prose"]?.(100_000) ?? "", options);
globalThis.gc?.();
const beforeBytes = process.memoryUsage.rss();
const text = digestTexts[name]?.(Number(chars)) ?? "";
const documentBytes = Buffer.byteLength(text);
await digestDocument(text, options);
const peakBytes = process.resourceUsage().maxRSS * 1024 - beforeBytes;
process.stdout.write(JSON.stringify({ name, documentBytes, peakBytes, times: peakBytes / documentBytes }));
