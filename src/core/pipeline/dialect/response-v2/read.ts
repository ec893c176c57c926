import { readErrorData } from "../../../contract/error-data.ts";
import { type Outcome, type UpgradeHint, isUpgradeHint } from "../../../contract/outcome.ts";
import { readMeta } from "../../../contract/read-meta.ts";
import type { JsonObject, JsonValue } from "../../../json/json-value.ts";
import type { Envelope } from "../envelope-rules.ts";

function hintsIn(data: JsonObject): readonly UpgradeHint[] | undefined {
  const hints = data["upgrade_hints"];
  if (!Array.isArray(hints) || hints.length === 0) return undefined;
  return hints.every(isUpgradeHint) ? hints : undefined;
}

export function read(json: JsonValue): Outcome {
  const { success, data, error, meta } = json as unknown as Envelope;
  const notes = readMeta(meta);
  if (success) return { ok: true, data, notes };
  const upgradeHints = hintsIn(data);
  if (upgradeHints === undefined) return { ok: false, fault: readErrorData(error ?? "", data), notes };
  const { upgrade_hints: _, ...rest } = data;
  return { ok: false, fault: readErrorData(error ?? "", rest), notes: { ...notes, upgradeHints } };
}
