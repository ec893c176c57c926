import type { JsonObject } from "../../json/json-value.ts";
import { type Encoding, loadCounter } from "../../tokens/token-counter.ts";
import { CliError } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { exitCodes } from "../exit-codes.ts";
import { cannotRead } from "../input/cannot-read.ts";
import { chooseInputs, readInput } from "../input/read-input.ts";
import { type Measurement, measureInput, perToken } from "../measure-input.ts";
import type { Paint } from "../output/paint.ts";
import { alignRows } from "../output/table.ts";
import type { Report } from "../report.ts";

export interface TokensCommandOptions {
  readonly encoding: Encoding;
}

/** Counts what files or stdin cost a model. */
export async function tokens(
  files: readonly string[],
  { encoding }: TokensCommandOptions,
  io: CliIo,
): Promise<Report> {
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
    ...(unread.length > 0 && { failure: cannotRead(unread, results.length) }),
    text: (paint) => printMeasurements(results, paint),
    remarks: unread.map(({ message, remediation }) => `waybill: ${message} ${remediation ?? ""}`.trimEnd()),
  };
}

/** The gravest code of the inputs that were refused. */
function exitCodeOf(unread: readonly CliError[]): Report["exitCode"] {
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
