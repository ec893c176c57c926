// A model of a few lines: it knows one errand and decides each step by what the tools said. It never sees more than
// the conversation that its caller sends.

import * as z from "zod";
import { type ChatMessage, type Move, textOf } from "./chat-messages.ts";

const record = z.object({
  parcel_id: z.string(),
  receiver: z.string(),
  status: z.string(),
  city: z.string(),
  grams: z.number(),
});

/** Of a tool's answer, in an envelope or bare: what it holds, what went wrong, and what was cut. */
interface Answer {
  readonly data: unknown;
  readonly errorCode?: string | undefined;
  readonly archive?: string | undefined;
}

const envelope = z.object({
  success: z.boolean(),
  data: z.looseObject({ error_code: z.string().optional() }),
  meta: z
    .looseObject({
      content_fidelity: z.string().optional(),
      content_archive_hashes: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});

function read(text: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { data: text };
  }
  const { success, data: seen } = envelope.safeParse(json);
  if (!success) return { data: json };
  const { content_archive_hashes: hashes = {} } = seen.meta ?? {};
  return {
    data: seen.data,
    errorCode: seen.success ? undefined : seen.data.error_code,
    archive: Object.values(hashes)[0],
  };
}

/** The errand as the user wrote it: whose parcel, and the number that is on the slip. */
function errandOf(messages: readonly ChatMessage[]): { readonly receiver: string; readonly slip: string } {
  const asked = messages
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n");
  const [, receiver = "", slip = ""] = /parcel of (.+?) \(the slip says (\S+)\)/.exec(asked) ?? [];
  return { receiver, slip };
}

/** Everything that the conversation has told so far. */
function learnt(messages: readonly ChatMessage[]) {
  let archive: string | undefined;
  let late: number | undefined;
  let found: string | undefined;
  let parcel: z.infer<typeof record> | undefined;
  const codes: string[] = [];
  for (const message of messages.filter(({ role }) => role === "tool")) {
    const answer = read(textOf(message));
    archive ??= answer.archive;
    if (answer.errorCode !== undefined) codes.push(answer.errorCode);
    const whole = z.object({ parcels: z.array(record) }).safeParse(answer.data).data;
    // A list that was cut is not counted: the number would be wrong.
    if (whole !== undefined && answer.archive === undefined)
      late ??= whole.parcels.filter(({ status }) => status === "late").length;
    late ??= z.object({ selected: z.object({ late: z.number() }) }).safeParse(answer.data).data
      ?.selected.late;
    found ??= z.object({ items: z.tuple([z.object({ value: record })]) }).safeParse(answer.data).data
      ?.items[0].value.parcel_id;
    parcel ??= z.object({ parcel: record }).safeParse(answer.data).data?.parcel;
  }
  return { archive, late, found, parcel, codes };
}

export function parcelClerk(messages: readonly ChatMessage[]): Move {
  const { receiver, slip } = errandOf(messages);
  const { archive, late, found, parcel, codes } = learnt(messages);
  const isListed = messages.some(({ role }) => role === "tool");
  if (!isListed) return { call: "parcel_list", with: {} };
  if (late === undefined) {
    if (archive === undefined) return { say: "I cannot count the parcels: the list is not all there." };
    return { call: "waybill_retrieve", with: { archive, select: "count_by(parcels, &status)" } };
  }
  if (parcel !== undefined) {
    const { parcel_id, city, grams } = parcel;
    const slipWords = codes.includes("NOT_FOUND") ? ` The number ${slip} does not exist.` : "";
    return {
      say: `${late} parcels are late. ${parcel_id} of ${receiver} is in ${city} and weighs ${grams} g.${slipWords}`,
    };
  }
  if (found !== undefined) return { call: "parcel_get", with: { parcel_id: found } };
  if (codes.length === 0) return { call: "parcel_get", with: { parcel_id: slip } };
  // NOT_FOUND is not worth a second try with the same number; the receiver may lead to the right one.
  if (codes.at(-1) === "NOT_FOUND" && archive !== undefined)
    return { call: "waybill_retrieve", with: { archive, match: { receiver } } };
  return {
    say: `${late} parcels are late. I could not find the parcel of ${receiver}: ${codes.join(", ")}.`,
  };
}
