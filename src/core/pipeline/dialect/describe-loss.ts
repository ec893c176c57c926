import type { DialectId } from "../../contract/dialect-id.ts";
import type { Loss } from "./dialect.ts";

/** What a dialect cannot carry, as a sentence. Apart from the losses themselves: only people are told of them. */
export function describeLoss({ path, becomes, why }: Loss, to: DialectId): string {
  const fate =
    typeof becomes === "object"
      ? `becomes ${JSON.stringify(becomes.value)}`
      : becomes === "dropped"
        ? "is dropped"
        : "is wrapped in an object";
  return `${to} cannot carry ${path}: it ${fate}, because ${why}.`;
}
