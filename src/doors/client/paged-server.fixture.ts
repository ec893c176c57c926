import type { JsonObject, JsonValue } from "../../core/json/json-value.ts";
import type { CallParams } from "./connection.ts";
import { type Step, failure, success } from "./scripted.fixture.ts";

export interface PagedOptions {
  /** How many items the page from an offset has; it may differ from page to page. */
  readonly sizeAt?: (offset: number) => number;
  /** What comes in place of the page at this call, counted from 0; undefined for the page itself. */
  readonly faultAt?: (call: number) => JsonObject | Error | undefined;
  readonly total?: boolean;
}

/** A server's pages of these records: cursors are offsets, as plain as they can be. */
export function pagesOf(records: readonly JsonValue[], options: PagedOptions = {}): Step {
  const { sizeAt = () => 2, faultAt = () => undefined } = options;
  let calls = 0;
  return ({ arguments: args = {} }: CallParams) => {
    const fault = faultAt(calls++);
    if (fault instanceof Error) throw fault;
    if (fault !== undefined) return fault;
    const offset = Number(args["cursor"] ?? 0);
    const end = Math.min(records.length, offset + sizeAt(offset));
    const hasMore = end < records.length;
    return success(
      { items: records.slice(offset, end) },
      {
        requestId: `req_${offset}`,
        pagination: {
          cursor: hasMore ? String(end) : null,
          has_more: hasMore,
          ...(options.total === true ? { total_count: records.length } : {}),
        },
      },
    );
  };
}

export const temporary = failure("Away for now", { errorCode: "UNAVAILABLE" });
