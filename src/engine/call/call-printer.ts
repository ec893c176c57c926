// Prints calls for the author of a server, if WAYBILL_PRINT_CALLS asks for it, as `waybill dev` does: "1" for what became
// of each call, "read" for what the model behind the client is given too.

import { wantsColors } from "../observe/terminal.ts";
import type { CallListener } from "../observe/call-facts.ts";
import type { ReadResult } from "../observe/print-reading.ts";
import { environment } from "../runtime/edge-runtime.ts";
import type { AnswerListener } from "./call-events.ts";
import { readerChoice } from "./call-reader.ts";
import type { ContractState } from "./contract-state.ts";
import { hasSchema } from "./tool-schemas.ts";

/** Results that wait for the end of their call, which is soon. They may have megabytes. */
const MAX_KEPT = 50;

type Start = NonNullable<CallListener["start"]>;

/** Adds the printer to the listeners of a contract; does nothing where it was not asked for. */
export function addCallPrinter(state: ContractState): void {
  const asked = environment()["WAYBILL_PRINT_CALLS"];
  if (asked !== "1" && asked !== "read") return;
  const readings = asked === "read" ? new Map<string, ReadResult>() : undefined;
  if (readings !== undefined) state.events.onAnswer({ answered: keepIn(readings) });
  let loading: Promise<Start> | undefined;
  const load = async (): Promise<Start> => {
    const { printCalls } = await import("../observe/print-calls.ts");
    return printCalls(
      readings === undefined ? {} : { more: (requestId) => sayReading(state, readings, requestId) },
    );
  };
  state.events.listen({ start: (call) => (loading ??= load()).then((start) => start(call)) });
}

function keepIn(readings: Map<string, ReadResult>): AnswerListener["answered"] {
  return (call, { result }) => {
    if (readings.size >= MAX_KEPT) return;
    const { reader } = readerChoice(call);
    readings.set(call.identity.requestId, { result, reader, isTyped: hasSchema(call.tool) });
  };
}

/** The lines about the result of a call; undefined for a call without one. */
async function sayReading(
  state: ContractState,
  readings: Map<string, ReadResult>,
  requestId: string,
): Promise<string | undefined> {
  const read = readings.get(requestId);
  readings.delete(requestId);
  if (read === undefined) return undefined;
  const [{ readingLines }, counter] = await Promise.all([
    import("../observe/print-reading.ts"),
    state.counter(),
  ]);
  return readingLines(read, {
    hasColors: wantsColors(),
    countTokens: (text) => counter.count(text),
    mask: state.mask,
  });
}
