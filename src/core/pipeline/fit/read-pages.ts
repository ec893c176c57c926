// Web pages in a result are read before they are cut: what a cut keeps of a page is what it says, not its markup.

import { type JsonValue, isJsonObject } from "../../json/json-value.ts";
import { isHtml } from "../../text/forms/html-form.ts";
import type { SuccessParcel } from "./result-cut.ts";
import type { FitContext, PageText, PipelineContext } from "../pipeline-context.ts";
import type { ParcelWeigher } from "./weigh-parcel.ts";

/** A shorter text has little markup to leave out. */
const MIN_PAGE_LENGTH = 1_000;
/** Of so many pages the first are read, and no more values than these are looked at. */
const MAX_PAGES = 8;
const MAX_VALUES = 10_000;

/** The fitting context with the text of each page of a result that is over its budget. */
export async function withPages(
  parcel: SuccessParcel,
  context: PipelineContext,
  fitting: FitContext,
  scale: ParcelWeigher,
): Promise<FitContext> {
  const { readPage } = fitting;
  const sources = readPage === undefined ? [] : pagesIn(parcel.outcome.data);
  if (readPage === undefined || sources.length === 0 || scale.weigh(parcel) <= scale.budget) return fitting;
  const pages = new Map<string, PageText>();
  for (const source of sources) {
    const page = await readPage(source);
    if (page !== undefined && !hasSecret(page, context)) pages.set(source, page);
  }
  return pages.size === 0 ? fitting : { ...fitting, pages };
}

function pagesIn(data: JsonValue): readonly string[] {
  const pages = new Set<string>();
  const pending: (JsonValue | undefined)[] = [data];
  for (let seen = 0; seen < MAX_VALUES && pending.length > 0 && pages.size < MAX_PAGES; seen++) {
    const value = pending.pop();
    if (typeof value === "string") {
      if (value.length >= MIN_PAGE_LENGTH && isHtml(value)) pages.add(value);
    } else if (Array.isArray(value)) pending.push(...value.slice(0, MAX_VALUES).toReversed());
    else if (isJsonObject(value)) pending.push(...Object.values(value).slice(0, MAX_VALUES).toReversed());
  }
  return [...pages];
}

/** Markup may hide a secret when the source is masked: the page is then cut as its source. */
function hasSecret({ text }: PageText, { redact, redactsSuccesses }: PipelineContext): boolean {
  return redactsSuccesses === true && redact !== undefined && redact(text).count > 0;
}
