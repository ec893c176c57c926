import { ContractError } from "../contract/contract-error.ts";
import { type Page, type PageCursorOptions, cursorAfter } from "./page.ts";

/** Keeps the first `keep` items and re-mints the cursor after the last of them, so that nothing is lost. */
export async function shrinkPage<Item>(
  { items, pagination }: Page<Item>,
  keep: number,
  options: PageCursorOptions<Item>,
): Promise<Page<Item>> {
  if (keep >= items.length) return { items, pagination };
  if (!Number.isInteger(keep) || keep < 1) {
    throw new ContractError(
      "INVALID_OPTION",
      "A page keeps at least one item, or the next one would be the same.",
    );
  }
  const cursor = await cursorAfter(items, keep, options);
  return { items: items.slice(0, keep), pagination: { ...pagination, cursor, has_more: true } };
}
