import { createHash } from "node:crypto";
import { wrongArguments } from "./check-arguments.ts";
import { type Json, NoAnswer, RawServer, type RawTool } from "./raw-server.ts";

const parcels = Array.from({ length: 12 }, (_, index) => ({
  id: `P-${String(index + 1).padStart(3, "0")}`,
  state: index % 3 === 0 ? "delivered" : "moving",
  weight_kg: index + 0.5,
}));
/** What a scan of a parcel's way would hold in full; the tool shows the first few and keeps the rest. */
const scans = Array.from({ length: 8 }, (_, index) => ({
  id: `scan-${index + 1}`,
  place: `Depot ${index + 1}`,
}));
const SHOWN_SCANS = 3;

/** A result in both channels, the text an exact mirror of the structure. */
export function structured(value: Json): Json {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

export function plainText(text: string): Json {
  return { content: [{ type: "text", text }] };
}

/** A failure in words that a model can act on: a code, what happened, what to do now. */
export function failure(code: string, message: string, remediation: string): Json {
  return { ...plainText(`${code}: ${message}. ${remediation}`), isError: true };
}

/** A response-v2 envelope as a result. */
export function envelope(data: Json, meta: Json = {}): Json {
  return structured({
    success: true,
    data,
    error: null,
    meta: { version: "response-v2", request_id: "req_0a1b2c3d4e5f", ...meta },
  });
}

/** The same for a failure. */
export function failedEnvelope(data: Json, error: string): Json {
  const meta = { version: "response-v2", request_id: "req_0a1b2c3d4e5f" };
  return { ...structured({ success: false, data, error, meta }), isError: true };
}

const idOf = (description: string): Json => ({
  type: "string",
  pattern: "^P-[0-9]{3}$",
  description,
  examples: ["P-001", "P-002"],
});

function notFound(id: unknown): Json {
  return failure(
    "NOT_FOUND",
    `No parcel has the id ${String(id)}`,
    "Call list_parcels for the ids there are",
  );
}

function tool(definition: RawTool["definition"], run: RawTool["run"], refuse = refused): RawTool {
  return {
    definition,
    run: (args, asked) => {
      const wrong = wrongArguments(args, definition["inputSchema"] as Json);
      return wrong === undefined ? run(args, asked) : refuse(wrong);
    },
  };
}

/** Wrong arguments are a result that the model can read and correct, not a protocol error. */
function refused(wrong: string): Json {
  return failure(
    "INVALID_ARGUMENTS",
    `The argument ${wrong}`,
    "Correct it as the input schema says and call again",
  );
}

function refusedInEnvelope(wrong: string): Json {
  const data = {
    error_code: "VALIDATION_ERROR",
    error_type: "validation",
    remediation: "Correct it as the input schema says and call again.",
  };
  return failedEnvelope(data, `The argument ${wrong}`);
}

const parcelSchema = {
  type: "object",
  properties: {
    id: { type: "string", description: "Its id." },
    state: { type: "string", description: "Where it is: moving or delivered." },
    weight_kg: { type: "number", description: "Its weight in kilograms." },
  },
  required: ["id", "state", "weight_kg"],
};

/** A failure whose structure keeps to the output schema, as clients of the first SDK want it. */
function failedPage(code: string, message: string, remediation: string): Json {
  const { content } = plainText(`${code}: ${message}. ${remediation}`) as { content: Json[] };
  const empty = structured({ parcels: [], total_count: parcels.length });
  return { ...empty, content: [...content, ...(empty["content"] as Json[])], isError: true };
}

/** Pages with a cursor, an output schema, and both channels. */
function listParcels(): RawTool {
  const inputSchema = {
    type: "object",
    properties: {
      cursor: { type: "string", description: "nextCursor of the page before.", examples: ["from-0"] },
      limit: { type: "integer", minimum: 3, maximum: 50, description: "How many parcels a page holds." },
    },
    additionalProperties: false,
  };
  const definition = {
    name: "list_parcels",
    title: "List parcels",
    description: "Lists all parcels in the order of their ids, a page at a time.",
    inputSchema,
    outputSchema: {
      type: "object",
      properties: {
        parcels: { type: "array", items: parcelSchema, description: "The parcels of this page." },
        nextCursor: { type: "string", description: "Where the next page begins; absent on the last." },
        total_count: { type: "integer", description: "How many parcels there are." },
      },
      required: ["parcels", "total_count"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return tool(definition, ({ cursor = "from-0", limit = 5 }) => {
    const start = Number(/^from-(\d{1,6})$/.exec(String(cursor))?.[1] ?? Number.NaN);
    if (Number.isNaN(start)) {
      return failedPage("INVALID_CURSOR", "This cursor is not one of ours", "Leave it out to begin again");
    }
    const end = start + Number(limit);
    const nextCursor = end < parcels.length ? { nextCursor: `from-${end}` } : {};
    return structured({ parcels: parcels.slice(start, end), ...nextCursor, total_count: parcels.length });
  });
}

/** One record by its id; a miss is a failure. */
function getParcel(): RawTool {
  const definition = {
    name: "get_parcel",
    title: "Get a parcel",
    description: "Returns one parcel by its id.",
    inputSchema: {
      type: "object",
      properties: {
        // Over HTTP the id travels as a header too, so that a router can see it.
        id: { ...idOf("The parcel's id, as list_parcels gives it."), "x-mcp-header": "Parcel-Id" },
        detail: { type: "string", enum: ["short", "long"], description: "How much to say. Default: short." },
      },
      required: ["id"],
      additionalProperties: false,
    },
    outputSchema: parcelSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return tool(definition, ({ id }) => {
    const found = parcels.find((parcel) => parcel.id === id);
    return found === undefined ? notFound(id) : structured(found);
  });
}

/** Text alone, without an output schema and without arguments. */
function countParcels(): RawTool {
  const definition = {
    name: "count_parcels",
    title: "Count parcels",
    description: "Says how many parcels there are.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return tool(definition, () => plainText(`There are ${parcels.length} parcels.`));
}

/** Slow enough to be cancelled, and it stops when it is. */
function waitForParcel(): RawTool {
  const definition = {
    name: "wait_for_parcel",
    title: "Wait for a parcel",
    description: "Waits until a parcel moves, then returns its state.",
    inputSchema: {
      type: "object",
      properties: { id: idOf("The parcel's id, as list_parcels gives it.") },
      required: ["id"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return tool(definition, async ({ id }, { signal }) => {
    await pause(WAIT_MS, signal);
    const found = parcels.find((parcel) => parcel.id === id);
    return found === undefined ? notFound(id) : plainText(`${found.id} is ${found.state}.`);
  });
}

/** Long beside a message in memory, short beside a person's patience. */
const WAIT_MS = 15;

/** Gives no answer where the call was cancelled, as the protocol asks. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const stop = (): void => {
      clearTimeout(timer);
      reject(new NoAnswer("cancelled"));
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const wholeOf = (id: unknown): string => JSON.stringify({ id, scans });
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A response-v2 envelope that leaves something out and says so. */
function trackParcel(): RawTool {
  const definition = {
    name: "track_parcel",
    title: "Track a parcel",
    description:
      "Returns the scans of a parcel's way. Long ways are shortened; waybill_retrieve has the rest.",
    inputSchema: {
      type: "object",
      properties: { id: idOf("The parcel's id, as list_parcels gives it.") },
      required: ["id"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  const run = ({ id }: Json): Json => {
    if (!parcels.some((parcel) => parcel.id === id)) {
      const data = {
        error_code: "NOT_FOUND",
        error_type: "not_found",
        remediation: "Call list_parcels for ids.",
      };
      return failedEnvelope(data, `No parcel has the id ${String(id)}`);
    }
    const hash = hashOf(wholeOf(id));
    return envelope(
      { id, scans: scans.slice(0, SHOWN_SCANS) },
      {
        content_fidelity: "partial",
        content_fidelity_schema_version: "1.0",
        dropped_content_ids: scans.slice(SHOWN_SCANS).map((scan) => scan.id),
        content_archive_hashes: { [`track-${hash.slice(0, 12)}`]: `sha256:${hash}` },
      },
    );
  };
  return tool(definition, run, refusedInEnvelope);
}

/** What `track_parcel` left out. */
function retrieve(): RawTool {
  const definition = {
    name: "waybill_retrieve",
    title: "Retrieve what was left out",
    description: "Returns the whole of a result that was shortened, by the hash that the result names.",
    inputSchema: {
      type: "object",
      properties: {
        archive: { type: "string", description: "The hash from content_archive_hashes.", maxLength: 100 },
        pointer: { type: "string", description: "Which part of it; empty for the whole.", maxLength: 100 },
      },
      required: ["archive"],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  const run = ({ archive }: Json): Json => {
    const asked = String(archive).replace(/^.*[-:]/, "");
    const whole = parcels
      .map(({ id }) => wholeOf(id))
      .find((text) => hashOf(text).startsWith(asked || "none"));
    if (whole === undefined) {
      const data = {
        error_code: "NOT_FOUND",
        error_type: "not_found",
        remediation: "Use a hash that a result names.",
      };
      return failedEnvelope(data, "No archive has this hash");
    }
    const items = [{ pointer: "", value: JSON.parse(whole) as Json }];
    return envelope({ archive: `sha256:${hashOf(whole)}`, verified: true, items, matched: 1, returned: 1 });
  };
  return tool(definition, run, refusedInEnvelope);
}

/** Not read-only, so a check leaves it alone unless it is told to call everything. */
function sendParcel(): RawTool {
  const definition = {
    name: "send_parcel",
    title: "Send a parcel",
    description: "Hands a parcel to the courier.",
    inputSchema: {
      type: "object",
      properties: { id: idOf("The parcel's id, as list_parcels gives it.") },
      required: ["id"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
  return tool(definition, ({ id }) => plainText(`${String(id)} is on its way.`));
}

/** A server that keeps every rule. */
export function goodServer(): RawServer {
  const server = new RawServer();
  server.tools = [listParcels(), getParcel(), countParcels(), trackParcel(), retrieve(), sendParcel()];
  return server;
}

/** Asks a client of the modern era for nothing but the same call again, with the state that it returns. */
function queueParcel(): RawTool {
  const definition = {
    name: "queue_parcel",
    title: "Queue a parcel",
    description: "Returns the place of a parcel in the queue, as soon as the queue is known.",
    inputSchema: {
      type: "object",
      properties: { id: idOf("The parcel's id, as list_parcels gives it.") },
      required: ["id"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  };
  return tool(definition, ({ id }, { era, requestState }) => {
    const found = parcels.find((parcel) => parcel.id === id);
    if (found === undefined) return notFound(id);
    if (era === "modern" && requestState === undefined)
      return { resultType: "input_required", requestState: `queue of ${found.id}` };
    return plainText(`${found.id} is the next one.`);
  });
}

/** The same with tools that a check waits for: one is slow, to see whether it answers after it was called off, one asks back. */
export function patientServer(): RawServer {
  const server = goodServer();
  server.tools.push(waitForParcel(), queueParcel());
  return server;
}
