// What the gateway would do about a result that a client does not show whole, in words: read from what it really makes of
// the result.

import { type JsonObject, type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import { forReader } from "../../core/pipeline/deliver/for-reader.ts";
import type { FailingKind } from "../../core/readers/model-view.ts";
import type { Reader } from "../../core/readers/reader.ts";
import { judgeBySchema } from "../../doors/check/schema/schema-judge.ts";
import { settleBudget } from "../../engine/settings/call-budget.ts";
import { defaultSettings } from "../../engine/settings/settings.ts";

/** What the gateway sends in place of a result that fits its limits. */
export async function mendedFor(
  result: JsonObject,
  reader: Reader,
  schema: JsonValue | undefined,
  breaksSchema: boolean,
): Promise<JsonObject> {
  const isTyped = isJsonObject(schema);
  const own = result["structuredContent"];
  const mendedIf = (madeFits: boolean): JsonObject =>
    forReader(result, reader, { isTyped, fits: (made) => (made === own ? !breaksSchema : madeFits) });
  const mended = mendedIf(true);
  const made = mended["structuredContent"];
  if (!isTyped || made === undefined || made === own) return mended;
  return (await judgeBySchema(schema, made)).errors.length === 0 ? mended : mendedIf(false);
}

function isEnvelope(structure: JsonValue | undefined): boolean {
  return isJsonObject(structure) && typeof structure["success"] === "boolean";
}

function sayBudget(reader: Reader): string {
  const { tokens, bytes } = settleBudget(defaultSettings.budget, reader);
  const most = [
    tokens === "off" ? [] : [`${tokens} tokens`],
    bytes === "off" ? [] : [`${bytes} bytes`],
  ].flat();
  return `sends at most ${most.join(" and ")}, says what is missing, and keeps the rest`;
}

interface Mend {
  readonly reader: Reader;
  readonly result: JsonObject;
  readonly mended: JsonObject;
  /** No failing of the kind is left. */
  readonly isMended: boolean;
}

/** What it does about a failing, read from what it changes. */
export function sayMend(kind: FailingKind, { reader, result, mended, isMended }: Mend): string {
  if (kind === "cut") return sayBudget(reader);
  const [own, made] = [result["structuredContent"], mended["structuredContent"]];
  const isNamed = kind === "blocks" && made !== undefined && made !== own;
  if (!isMended) return isNamed ? "names them in the structure" : "leaves it as it is";
  if (kind === "ends") return "sends it as a line of text";
  if (kind === "twice") return "sends it once";
  if (kind === "structure") return "sends what the texts lack of the structure as one more text, in JSON";
  if (kind === "hidden" && made !== undefined)
    return "sends the texts with all facts, and an envelope that the tool's schema allows as structure";
  if (made === undefined && own !== undefined) return "sends the texts with all facts, and no structure";
  if (isEnvelope(made) && !isEnvelope(own))
    return "sends an envelope as structure, with the texts beside its data";
  if (made !== own) return "says in the structure too what the texts and blocks say";
  return "sends links and resources as text, and names every other block";
}
