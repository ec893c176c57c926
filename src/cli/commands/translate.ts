import type { DialectId } from "../../core/contract/dialect-id.ts";
import type { WarningDetail } from "../../core/contract/warning.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { detectDialect } from "../../core/pipeline/dialect/detect-dialect.ts";
import type { Loss } from "../../core/pipeline/dialect/dialect.ts";
import { describeLoss, lossesOf, readResponse, sayIn } from "../../core/pipeline/dialect/translate.ts";
import type { ProfileName } from "../../core/contract/choices.ts";
import { type CliIo, CliError, exitCodes } from "../cli-io.ts";
import { chooseInputs, readInput, readJsonInput } from "../input/read-input.ts";
import { printable, printableLines } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";

export interface TranslateCommandOptions {
  readonly to: DialectId;
  readonly from?: DialectId | undefined;
  readonly profile?: ProfileName | undefined;
  readonly metadata?: "meta" | "data" | undefined;
  readonly fill?: "null" | undefined;
  readonly requestIdFrom?: "client" | "server" | undefined;
  readonly pretty?: boolean | undefined;
}

/** Writes a response in another dialect, and names what that dialect cannot express. */
export async function translateCommand(
  file: string | undefined,
  options: TranslateCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  refuseIdleOptions(options);
  const [input = "-"] = chooseInputs(file === undefined ? [] : [file], io);
  const json = readJsonInput(await readInput(input, io));
  if (options.from === undefined) refuseMessage(json);
  const { to, from, profile, metadata, fill, requestIdFrom, pretty } = options;
  const outcome = readResponse(json, from);
  const losses = lossesOf(outcome, to);
  const response = sayIn(to, outcome, { profile, metadata, fill, requestIdFrom });
  const detected = from === undefined ? detectDialect(json) : undefined;
  return {
    exitCode: exitCodes.fine,
    data: {
      from: from ?? detected?.dialect ?? null,
      to,
      response,
      losses: losses as unknown as readonly JsonObject[],
    },
    warnings: losses.map((loss) => toWarning(loss, to)),
    text: () => printableLines(JSON.stringify(response, null, pretty === true ? 2 : undefined)),
    remarks: [
      ...describeGuess(detected),
      ...losses.map((loss) => `waybill: ${printable(describeLoss(loss, to))}`),
    ],
  };
}

/** Options that only one dialect knows; another dialect would ignore them silently. */
function refuseIdleOptions(options: TranslateCommandOptions): void {
  const knownTo = { metadata: "response-v2-draft", fill: "scalpel" } as const;
  for (const name of ["metadata", "fill"] as const) {
    if (options[name] === undefined || options.to === knownTo[name]) continue;
    const remediation = `Leave it out, or translate with --to ${knownTo[name]}.`;
    throw new CliError(`--${name} has no effect with --to ${options.to}.`, { remediation });
  }
}

/** A message would be taken for the bare payload of an old dialect, and the result would be nonsense. */
function refuseMessage(json: JsonValue): void {
  if (!isJsonObject(json) || json["jsonrpc"] !== "2.0") return;
  throw new CliError("This is a JSON-RPC message, not a response in a dialect.", {
    exitCode: exitCodes.violated,
    remediation: "Give its result, as from `jq .result`; or name the dialect with --from.",
  });
}

function describeGuess(detected: ReturnType<typeof detectDialect> | undefined): string[] {
  if (detected === undefined || detected.alternatives.length === 0) return [];
  const others = detected.alternatives.join(" or ");
  return [
    `waybill: read as ${detected.dialect} (${detected.because}); could also be ${others}: name it with --from.`,
  ];
}

function toWarning(loss: Loss, to: DialectId): WarningDetail {
  const code = loss.becomes === "dropped" ? { code: "CONTENT_DROPPED" } : {};
  return { ...code, severity: "warning", message: describeLoss(loss, to), context: { path: loss.path } };
}
