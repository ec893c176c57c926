import { askEntry } from "../../engine/retrieve/ask-archive.ts";
import { isTextType } from "../../engine/retrieve/read-entry.ts";
import { openQuestions } from "../../engine/retrieve/question/open-questions.ts";
import { findEntry } from "../archive/find-entry.ts";
import { type StoreOptions, withStore } from "../archive/named-store.ts";
import { noItems } from "../archive/read-selection.ts";
import { readTenantNames } from "../archive/tenant-names.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import type { CliIo } from "../cli-io.ts";
import { count } from "../output/format-values.ts";
import type { Report } from "../report.ts";

export interface ArchiveAskOptions extends StoreOptions {
  readonly tenant?: string | undefined;
  /** In seconds. */
  readonly timeout?: number | undefined;
}

/** No other caller waits, so there is more time than on a server. */
const TIMEOUT_SECONDS = 60;

/** Applies a question to the whole of an entry, whose hash is checked first. */
export async function archiveAsk(
  reference: string,
  expression: string,
  options: ArchiveAskOptions,
  io: CliIo,
): Promise<Report> {
  const names = await readTenantNames(options.config, io);
  return withStore(options, io, async (store) => {
    const questions = await openQuestions();
    if (questions === undefined)
      throw new CliError("Questions cannot be answered here: no worker thread can be started.", {
        exitCode: exitCodes.violated,
        errorCode: "UNAVAILABLE",
      });
    await questions.check(expression);
    const { entry, tenant, remarks } = await findEntry(store, options.tenant, reference, names);
    if (!isTextType(entry.contentType)) throw noItems(entry);
    const timeoutMs = (options.timeout ?? TIMEOUT_SECONDS) * 1_000;
    const { value, records, note } = await askEntry({ store, tenant }, entry, expression, {
      questions,
      timeoutMs,
    });
    const archive = `sha256:${entry.hash}`;
    return {
      exitCode: exitCodes.fine,
      data: { archive, verified: true, selected: value, records, ...(note === undefined ? {} : { note }) },
      text: () => JSON.stringify(value, null, 2),
      remarks: [
        ...remarks,
        `waybill: computed from ${count(records, "record")}; the content matches ${archive}`,
        ...(note === undefined ? [] : [`waybill: ${note}`]),
      ],
    };
  });
}
