import { countCodePoints } from "../contract/code-points.ts";
import { decodeUtf8 } from "../json/decode-utf8.ts";
import { parseJson } from "../json/parse-json.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { CliError } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Input } from "./input/read-input.ts";
import { printable } from "./output/printable.ts";

/** What a text costs, in the words of `--json`. */
export interface Measurement {
  readonly source: string;
  readonly tokens: number;
  readonly bytes: number;
  /** Unicode code points. */
  readonly characters: number;
  readonly bytes_per_token: number | null;
  /** The same JSON without spaces between its parts; null for what is no JSON or would lose something by being read. */
  readonly compact: CompactSize | null;
}

interface CompactSize {
  readonly tokens: number;
  readonly bytes: number;
  readonly saved_tokens: number;
  readonly saved_percent: number;
}

/** The size of one input, as it is and as compact JSON. */
export function measureInput({ name, bytes }: Input, counter: TokenCounter): Measurement {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    throw new CliError(`${printable(name)} is not UTF-8: a model is given text.`, {
      exitCode: exitCodes.violated,
      remediation: decoded.message,
      details: { source: name, offset: decoded.offset },
    });
  }
  const { text } = decoded;
  const tokens = counter.count(text);
  return {
    source: name,
    tokens,
    bytes: bytes.length,
    characters: countCodePoints(text),
    bytes_per_token: perToken(bytes.length, tokens),
    compact: measureCompact(text, tokens, counter),
  };
}

export function perToken(bytes: number, tokens: number): number | null {
  return tokens === 0 ? null : Math.round((bytes / tokens) * 100) / 100;
}

function measureCompact(text: string, tokens: number, counter: TokenCounter): CompactSize | null {
  const parsed = parseJson(text);
  const isWhole = parsed.ok && parsed.findings.every(({ kind }) => kind === "lone-surrogate");
  if (!isWhole || parsed.reordersKeys) return null;
  const compact = JSON.stringify(parsed.value);
  const own = counter.count(compact);
  return {
    tokens: own,
    bytes: Buffer.byteLength(compact),
    saved_tokens: tokens - own,
    saved_percent: tokens === 0 ? 0 : Math.round(((tokens - own) / tokens) * 1_000) / 10,
  };
}
