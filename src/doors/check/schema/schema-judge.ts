import type { JsonValue } from "../../../core/json/json-value.ts";
import { WorkerHost } from "../../../engine/runtime/worker-host.ts";
import type { ThreadKind } from "../../../engine/runtime/worker-thread.ts";
import type { SchemaVerdict } from "./judge-value.ts";

const schemaThread: ThreadKind = {
  file: "schema-worker",
  here: import.meta.url,
  isReady: (message) => message === "ready",
};

/** How long judging one value may take. A good schema takes well under a millisecond. */
const SCHEMA_TIMEOUT_MS = 2_000;
/** A schema that was too slow this often is not tried again. */
const MAX_TIMEOUTS = 2;
const MAX_HEAP_MIB = 512;

const tooSlow: SchemaVerdict = {
  errors: [],
  isTooSlow: true,
  problem: `judging a value by it was given up: it takes more than ${SCHEMA_TIMEOUT_MS / 1_000} s or ${MAX_HEAP_MIB} MiB`,
};

interface SchemaRequest {
  readonly schema: string;
  readonly value: string;
}

const host = new WorkerHost<SchemaRequest, SchemaVerdict>(schemaThread, {
  places: 1,
  heapMib: MAX_HEAP_MIB,
});
const timeouts = new Map<string, number>();

/**
 * Judges a value by a schema in a worker that is stopped if it takes too long. One worker serves the whole process, one
 * value at a time. Never throws.
 */
export async function judgeBySchema(schema: JsonValue, value: JsonValue): Promise<SchemaVerdict> {
  try {
    return await judge({ schema: JSON.stringify(schema), value: JSON.stringify(value) });
  } catch (error) {
    return { errors: [], problem: `it could not be tried: ${(error as Error).message}` };
  }
}

async function judge(request: SchemaRequest): Promise<SchemaVerdict> {
  const { schema } = request;
  const isSlow = (): boolean => (timeouts.get(schema) ?? 0) >= MAX_TIMEOUTS;
  const ending = await host.run<SchemaVerdict>(undefined, () => ({
    timeoutMs: SCHEMA_TIMEOUT_MS,
    send: (tell) => (isSlow() ? tooSlow : tell(request)),
    hear: (verdict) => verdict,
  }));
  if (ending === undefined) throw new Error("the worker did not start");
  if (ending.kind === "done") return ending.value;
  timeouts.set(schema, (timeouts.get(schema) ?? 0) + 1);
  return tooSlow;
}
