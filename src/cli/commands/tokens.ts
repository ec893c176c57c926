import { countCodePoints } from "../../core/text/code-points.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { parseJson } from "../../core/json/parse-json.ts";
import { type Encoding, type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { type Input, cannotRead, chooseInputs, readInput, readTextInput } from "../input/read-input.ts";
import { alignRows } from "../output/format-values.ts";
import type { Paint, CommandReport } from "../report.ts";

/** The cost of a text, with the names of `--json`. */
interface Measurement {
  readonly source: string;
  readonly tokens: number;
  readonly bytes: number;
  /** Unicode code points. */
  readonly characters: number;
  readonly bytes_per_token: number | null;
  /** The same JSON without spaces between its parts; null if it is not JSON or would lose something when parsed. */
  readonly compact: CompactSize | null;
}

interface CompactSize {
  readonly tokens: number;
  readonly bytes: number;
  readonly saved_tokens: number;
  readonly saved_percent: number;
}

/** The size of one input, unchanged and as compact JSON. */
function measureInput(input: Input, counter: TokenCounter): Measurement {
  const { name, bytes } = input;
  const text = readTextInput(input);
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

function perToken(bytes: number, tokens: number): number | null {
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

export interface TokensCommandOptions {
  readonly encoding: Encoding;
  readonly compare?: boolean | undefined;
  /** The file for the page of a comparison. */
  readonly html?: string | undefined;
}

/** Counts what files or stdin cost a model, or compares the forms of one input. */
export async function tokens(
  files: readonly string[],
  { encoding, compare, html }: TokensCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  if (compare === true) {
    const { compareTokens } = await import("./tokens-compare.ts");
    return compareTokens(files, { encoding, html }, io);
  }
  if (html !== undefined)
    throw new CliError("--html is the page of a comparison.", { remediation: "Add --compare." });
  const inputs = chooseInputs(files, io);
  const counter = await loadCounter(encoding);
  const results: Measurement[] = [];
  const unread: CliError[] = [];
  for (const input of inputs) {
    try {
      results.push(measureInput(await readInput(input, io), counter));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      unread.push(error);
    }
  }
  const data = { encoding, results, total: totalOf(results) };
  return {
    exitCode: exitCodeOf(unread),
    data: data as unknown as JsonObject,
    failure: unread.length > 0 ? cannotRead(unread, results.length) : undefined,
    text: (paint) => printMeasurements(results, paint),
    remarks: unread.map(({ message, remediation }) => `waybill: ${message} ${remediation ?? ""}`.trimEnd()),
  };
}

/** The highest exit code of the inputs that were refused. */
function exitCodeOf(unread: readonly CliError[]): CommandReport["exitCode"] {
  if (unread.length === 0) return exitCodes.fine;
  return unread.some(({ exitCode }) => exitCode === exitCodes.usage) ? exitCodes.usage : exitCodes.violated;
}

type Total = Pick<Measurement, "tokens" | "bytes" | "characters" | "bytes_per_token">;

function totalOf(results: readonly Measurement[]): Total {
  const sum = (key: "tokens" | "bytes" | "characters"): number =>
    results.reduce((all, result) => all + result[key], 0);
  const [all, bytes] = [sum("tokens"), sum("bytes")];
  return { tokens: all, bytes, characters: sum("characters"), bytes_per_token: perToken(bytes, all) };
}

const head = ["tokens", "bytes", "characters", "bytes/token", "as compact JSON", "input"];

function printMeasurements(results: readonly Measurement[], paint: Paint): string {
  if (results.length === 0) return "";
  const rows = results.map((result) => [...sizes(result), describeCompact(result), result.source]);
  if (results.length > 1) rows.push([...sizes(totalOf(results)), "", "all"]);
  const [title = "", ...lines] = alignRows([head, ...rows]);
  return [paint.bold(title), ...lines].join("\n");
}

function sizes({ tokens: own, bytes, characters, bytes_per_token }: Total): string[] {
  return [`${own}`, `${bytes}`, `${characters}`, bytes_per_token?.toFixed(2) ?? "-"];
}

function describeCompact({ compact }: Measurement): string {
  if (compact === null) return "-";
  return compact.saved_tokens === 0
    ? `${compact.tokens}`
    : `${compact.tokens} (saves ${compact.saved_percent} %)`;
}
