// Prints each call: its outcome, then a line for each stage with its tokens. For authors of a server:
// `waybill dev` turns it on, and so does WAYBILL_PRINT_CALLS=1. It is loaded only then.

import picocolors from "picocolors";
import { printable } from "../../core/text/say-name.ts";
import { wantsColors } from "./terminal.ts";
import type { CallFacts, CallListener, ObservedCall, StageEvent } from "./call-facts.ts";

export interface CallPrinterOptions {
  /** Gets the lines of one call, including the last line end. Default: stderr; stdout belongs to the protocol. */
  readonly write?: ((lines: string) => void) | undefined;
  /** Default: on a terminal, or with FORCE_COLOR; never with NO_COLOR. */
  readonly hasColors?: boolean | undefined;
  /** Further lines about a call, by its request id, including the last line end. */
  readonly more?: ((requestId: string) => Promise<string | undefined>) | undefined;
}

interface Stage {
  readonly name: string;
  readonly says: string;
  readonly tokens: string;
}

function verdictOf(facts: CallFacts | undefined): string {
  if (facts === undefined) return "no answer: it was cancelled, or asks the client something first";
  if (facts.ok) return "ok";
  return `${facts.errorCode ?? "failed"}${facts.errorType === undefined ? "" : ` (${facts.errorType})`}`;
}

function factsOf(facts: CallFacts | undefined): string[] {
  if (facts === undefined) return [];
  const { durationMs, bytes, dialect, cacheHit, isCut, isArchived, redactions = 0 } = facts;
  const said = [`${durationMs} ms`, bytes === undefined ? "" : `${bytes} bytes`, dialect];
  if (cacheHit === true) said.push("from the cache");
  if (isCut === true) said.push(isArchived === true ? "cut, the rest is archived" : "cut");
  if (redactions > 0) said.push(`${redactions} ${redactions === 1 ? "secret" : "secrets"} masked`);
  return said.filter((word) => word !== "");
}

/** The lines of one call. */
function linesOf(
  { tool, requestId }: ObservedCall,
  stages: readonly Stage[],
  facts: CallFacts | undefined,
  hasColors: boolean,
): string {
  const { bold, dim, green, red, yellow } = picocolors.createColors(hasColors);
  const paint = facts === undefined ? yellow : facts.ok ? green : red;
  const head = [paint(printable(verdictOf(facts))), ...factsOf(facts), dim(printable(requestId))].join(", ");
  const nameWidth = Math.max(0, ...stages.map(({ name }) => name.length));
  const saysWidth = Math.max(0, ...stages.map(({ says }) => says.length));
  const lines = stages.map(({ name, says, tokens }) =>
    dim(`  ${name.padEnd(nameWidth)}  ${says.padEnd(saysWidth)}  ${tokens} tokens`),
  );
  return `${[`${bold(printable(tool))}: ${head}`, ...lines].join("\n")}\n`;
}

/** Counted after the call, so that the call does not wait; a count that fails is shown as unknown. */
async function countAll(stages: readonly StageEvent[]): Promise<Stage[]> {
  const counted: Stage[] = [];
  for (const { stage, says, tokens } of stages) {
    const count = await Promise.resolve()
      .then(tokens)
      .catch(() => "?");
    counted.push({ name: stage, says: printable(says), tokens: String(count) });
  }
  return counted;
}

/** The start of a listener: `contract.onCall({ start: printCalls() })`. */
export function printCalls(options: CallPrinterOptions = {}): NonNullable<CallListener["start"]> {
  const { write = (lines: string) => void process.stderr.write(lines), hasColors = wantsColors() } = options;
  const print = async (
    call: ObservedCall,
    stages: readonly StageEvent[],
    facts: CallFacts | undefined,
  ): Promise<void> => {
    const [told, more = ""] = await Promise.all([
      countAll(stages),
      options.more?.(call.requestId).catch(() => undefined),
    ]);
    write(`${linesOf(call, told, facts, hasColors)}${more}`);
  };
  return (call) => {
    const stages: StageEvent[] = [];
    return {
      stage: (event) => void stages.push(event),
      end: (facts) => void print(call, stages, facts),
    };
  };
}
