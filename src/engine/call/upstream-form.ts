// The form in which an upstream server's results are read: by its settings, else by its name, else by the
// result itself. Both the list and the results of a tool use this module, so that the results keep what the
// list promises.

import { type EnvelopeForm, type SpokenForm, envelopeFormOf } from "../../core/schema/envelope-schema.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { traitsOf } from "../../core/pipeline/dialect/dialects.ts";
import { contractedReader, upstreamReader } from "../../core/pipeline/dialect/read-upstream.ts";
import type { FormReader } from "../../core/pipeline/parcel.ts";
import { type ToolCall, hasSchema } from "./called-tool.ts";
import type { ToolContract } from "../settings/tool-contract.ts";

/** Code Scalpel's own name for itself; its smallest envelope, `{"data": …}`, does not show its form. */
const scalpelName = /^code[-_ ]?scalpel\b/i;

function spokenBy(contract: ToolContract, serverName: string | undefined): SpokenForm {
  const { dialect: speaks } = contract.upstream;
  return { speaks, isScalpel: speaks === "scalpel" || (speaks === "auto" && isNamedScalpel(serverName)) };
}

function isNamedScalpel(name: string | undefined): boolean {
  return name !== undefined && scalpelName.test(name);
}

/** What an upstream server's listed schema describes: its own envelope, or the data itself (undefined). */
export function listedForm(
  schema: JsonObject,
  contract: ToolContract,
  serverName: string | undefined,
): EnvelopeForm | undefined {
  return envelopeFormOf(schema, spokenBy(contract, serverName));
}

/** How the results of a call's tool are read. */
export interface ResultReading {
  readonly isTyped: boolean;
  readonly reader: FormReader | undefined;
}

const readers = new Map<string, FormReader>();

function readerFor({ speaks, isScalpel }: SpokenForm, isTyped: boolean, mayUnwrap: boolean): FormReader {
  const key = `${speaks} ${isScalpel} ${isTyped} ${mayUnwrap}`;
  const known = readers.get(key) ?? upstreamReader({ speaks, isScalpel, isTyped, mayUnwrap });
  readers.set(key, known);
  return known;
}

export function readingOf({ tool, contract }: Pick<ToolCall, "tool" | "contract">): ResultReading {
  const isTyped = hasSchema(tool);
  const { listedSchema, serverName } = tool;
  if (listedSchema === undefined) {
    // A handler's own result is its data; only under `auto` may it be written by another contract.
    const isByResult = traitsOf(contract.dialect).choosesByResult === true;
    return { isTyped, reader: isByResult ? contractedReader : undefined };
  }
  // If the schema was listed for the data as it is, data taken out of its envelope would break the schema.
  const form = isTyped && listedSchema !== null ? listedForm(listedSchema, contract.tool, serverName) : null;
  return { isTyped, reader: readerFor(spokenBy(contract.tool, serverName), isTyped, form !== undefined) };
}
