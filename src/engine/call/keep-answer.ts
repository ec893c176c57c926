import type { Fault } from "../../core/contract/outcome.ts";
import { readEnvelope } from "../../core/contract/read-envelope.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { mayNeedReading } from "../../core/pipeline/outcome/failure-signs.ts";
import { fromResult } from "../../core/pipeline/outcome/from-result.ts";
import { knownError } from "../../core/pipeline/outcome/known-error.ts";
import { reportedFailure } from "../../core/pipeline/outcome/reported-failure.ts";
import type { Arrival } from "../../core/pipeline/parcel.ts";
import { isUnfinished } from "./called-tool.ts";
import type { ResultReading } from "./upstream-form.ts";
import { CallCancelled, PassedThrough, isForTheClient } from "./unanswered.ts";

/** Gives a result that the store must not keep to every caller that shares the run. */
class PassedBy extends Error {
  readonly arrival: Arrival;

  constructor(arrival: Arrival) {
    super("This answer is not kept.");
    this.arrival = arrival;
  }
}

const serverFaults = new Set(["internal", "unavailable"]);

/** A failure of the server itself: the breaker counts it, and it is not remembered for repeated keys. */
export function isServerTrouble(error: unknown): boolean {
  if (CallCancelled.isInstance(error) || PassedThrough.isInstance(error) || isForTheClient(error))
    return false;
  const type = ToolFault.isInstance(error) ? error.type : knownError(error)?.fault.type;
  return type === undefined || serverFaults.has(type);
}

function saysFailure(value: unknown): value is JsonValue {
  return isJsonObject(value) && value["success"] === false;
}

/** The failure that came as an answer: a failed result, or an envelope that says so. Successes are not looked into. */
function failureIn(arrival: Arrival, reading: ResultReading): Fault | undefined {
  if (arrival.kind === "thrown") return undefined;
  if (arrival.kind === "value") {
    const outcome = saysFailure(arrival.value)
      ? (readEnvelope(arrival.value) ?? reportedFailure(arrival.value))
      : undefined;
    return outcome?.ok === false ? outcome.fault : undefined;
  }
  if (!mayNeedReading(arrival.result)) return undefined;
  const { outcome } = fromResult(arrival.result, { isDocument: arrival.isDocument, ...reading });
  return outcome.ok ? undefined : outcome.fault;
}

/** Whether an answer is a failure of the server's own, as a thrown one can be. */
export function isTroubled(arrival: Arrival, reading: ResultReading): boolean {
  const failure = failureIn(arrival, reading);
  return failure !== undefined && serverFaults.has(failure.type);
}

/** A question to the client is answered by another call with the same arguments; the server's trouble is worth a retry. */
export function isFinal(arrival: Arrival, reading: ResultReading): boolean {
  return !(arrival.kind === "value" && isUnfinished(arrival.value)) && !isTroubled(arrival, reading);
}

/** A failure that came as an answer is no better than a thrown one, and those are not cached either. */
export function isCacheable(arrival: Arrival, reading: ResultReading): boolean {
  return isFinal(arrival, reading) && failureIn(arrival, reading) === undefined;
}

/** Runs `store`, which keeps what `run` gives, so that it keeps only what `isKept` allows. */
export async function keepOnly<Answer>(
  isKept: (arrival: Arrival) => boolean,
  run: () => Promise<Arrival>,
  store: (run: () => Promise<Arrival>) => Promise<Answer>,
  toAnswer: (arrival: Arrival) => Answer,
): Promise<Answer> {
  try {
    return await store(async () => {
      const arrival = await run();
      if (isKept(arrival)) return arrival;
      throw new PassedBy(arrival);
    });
  } catch (error) {
    if (error instanceof PassedBy) return toAnswer(error.arrival);
    throw error;
  }
}
