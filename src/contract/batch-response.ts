import type { ResponseEnvelope } from "./envelope.ts";
import { errorResponse } from "./error-response.ts";
import type { NoteOptions } from "./note-options.ts";
import { successResponse } from "./success-response.ts";
import { ToolFault } from "./tool-fault.ts";

/** One item of a batch: without `error` it went well. */
export interface BatchItem {
  readonly id: string;
  readonly error?: string | ToolFault | null | undefined;
}

export interface BatchOptions extends NoteOptions {
  /** The key that names an item in `failures`, e.g. `task_id`. */
  readonly idKey?: string;
  /** What the items are called in messages, in the plural. */
  readonly noun?: string;
  /** Further keys for `data`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The code and type all failures share, if they do. */
function commonFault(failures: readonly BatchItem[]): { code: string; type: string } {
  const pairs = failures.map(({ error }) => (ToolFault.isInstance(error) ? error.fault : undefined));
  const [first] = pairs;
  const isCommon = pairs.every((fault) => fault?.code === first?.code && fault?.type === first?.type);
  return first !== undefined && isCommon ? first : { code: "OPERATION_FAILED", type: "internal" };
}

function countOf(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun.replace(/s$/, "") : noun}`;
}

/** Some failed: success with a `PARTIAL_FAILURE` warning. All failed: an error with their common code. */
export function batchResponse(items: readonly BatchItem[], options: BatchOptions = {}): ResponseEnvelope {
  const { idKey = "id", noun = "items", data: own, ...notes } = options;
  const failed = items.filter((item) => item.error !== undefined && item.error !== null);
  const data = {
    ...own,
    processed: items.length - failed.length,
    failed: failed.length,
    failures: failed.map(({ id, error }) => ({
      [idKey]: id,
      error: ToolFault.isInstance(error) ? error.message : error,
    })),
  };
  if (failed.length === 0) return successResponse(data, notes) as unknown as ResponseEnvelope;
  if (failed.length === items.length) {
    const { code, type } = commonFault(failed);
    return errorResponse(`All ${countOf(items.length, noun)} failed to process`, {
      ...notes,
      data: { error_code: code, error_type: type, ...data },
    });
  }
  const warning = {
    code: "PARTIAL_FAILURE",
    severity: "warning",
    message: `${countOf(failed.length, noun)} failed to process`,
    context: { failed: failed.length, total: items.length },
  } as const;
  return successResponse(data, {
    ...notes,
    warningDetails: [warning, ...(notes.warningDetails ?? [])],
  }) as unknown as ResponseEnvelope;
}
