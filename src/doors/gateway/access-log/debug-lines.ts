// What `--log-level debug` tells of a call: the facts of its line in the access log, and what was changed in its result.
// It never has arguments or results. Other requests are told where their messages pass (`message/request-lines.ts`).

import { withoutUndefined } from "../../../core/json/json-value.ts";
import type { AnsweredCall } from "../../../engine/call/answered-call.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { type AccessLine, lineOfAnswer, lineOfThrown } from "./access-line.ts";

/** Tells each call of one upstream when it has ended. */
export function tellCalls(upstream: string, { events, log }: ContractState): void {
  const tell = (line: AccessLine, changed?: string): void => log.debug("request", factsOf(line, changed));
  events.onAnswer({
    answered: (call, answered, times) =>
      tell(lineOfAnswer(upstream, call, answered, times).line, changesOf(answered)),
    unanswered: (call, thrown, times) => tell(lineOfThrown(upstream, call, thrown, times).line),
  });
}

/** In the words of the stages, and of what was done for the client's reader. */
function changesOf({ isUntouched, trace = [], changes }: AnsweredCall): string {
  if (isUntouched) return "nothing";
  const said = [...trace.map(({ stage, says }) => `${stage}: ${says}`), ...(changes?.() ?? [])];
  return said.length === 0 ? "nothing" : said.join("; ");
}

function factsOf(line: AccessLine, changed: string | undefined): Readonly<Record<string, unknown>> {
  const { upstream, tool, request_id, outcome, code, duration_ms, server_ms, bytes_in, bytes_out } = line;
  const facts = { method: "tools/call", upstream, tool, request_id, outcome, code, duration_ms, server_ms };
  return withoutUndefined({ ...facts, bytes_in, bytes_out, changed });
}
