import type { DialectId } from "../../contract/dialect-id.ts";
import type { Loss } from "./dialect.ts";

/** What a dialect cannot carry, as a sentence. Separate from the losses themselves, because only people need it. */
export function describeLoss({ path, becomes, why }: Loss, to: DialectId): string {
  const fate =
    typeof becomes === "object"
      ? `becomes ${JSON.stringify(becomes.value)}`
      : becomes === "dropped"
        ? "is dropped"
        : "is wrapped in an object";
  return `${to} cannot carry ${path}: it ${fate}, because ${why}.`;
}
