import type { SettingChange } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import type { JsonValue } from "../../../src/core/json/json-value.ts";

/** A setting as it is typed. */
export function writeSetting(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value))
    return value.map((one: JsonValue) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n");
  return value === null ? "" : JSON.stringify(value);
}

/** What was typed as a value, or what is wrong with it. The gateway has the last word. */
export function readSetting(
  change: SettingChange,
  text: string,
): { readonly value: JsonValue } | { readonly says: string } {
  const typed = text.trim();
  if (change.kind === "choice")
    return change.choices.includes(typed)
      ? { value: typed }
      : { says: `Choose one of ${change.choices.join(", ")}.` };
  if (change.kind === "fields")
    return {
      value: typed
        .split(/[\n,]/)
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    };
  if (change.canBeOff === true && typed === "off") return { value: "off" };
  const value = Number(typed.replaceAll(",", ""));
  if (typed === "" || !Number.isFinite(value))
    return { says: change.canBeOff === true ? "Give a number, or off." : "Give a number." };
  if (value < change.min) return { says: `Give at least ${change.min.toLocaleString("en")}.` };
  if (value > change.max) return { says: `Give at most ${change.max.toLocaleString("en")}.` };
  return { value };
}
