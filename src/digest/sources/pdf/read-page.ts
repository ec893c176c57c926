import { joinLines } from "./join-lines.ts";
import type { PdfPage } from "./open-pdf.ts";
import { orderLines } from "./order-lines.ts";
import { createLineCollector } from "./text-line.ts";

/** Far beyond any page that is meant to be read; a page that repeats itself a million times ends here. */
const MAX_PAGE_CHARS = 1_000_000;

interface PageReading {
  readonly text: string;
  /** True where the page goes on after what was read of it. */
  readonly isCut: boolean;
}

/** The text of a page in reading order. `check` throws when it is time to stop. */
export async function readPage(page: PdfPage, maxChars: number, check: () => void): Promise<PageReading> {
  const { add, lines } = createLineCollector();
  const limit = Math.min(maxChars, MAX_PAGE_CHARS);
  const reader = page.streamTextContent().getReader();
  let length = 0;
  try {
    while (length <= limit) {
      check();
      const { done, value } = await reader.read();
      if (done) break;
      for (const item of value.items) {
        if (!("str" in item)) continue;
        add(item, value.styles[item.fontName]?.vertical === true);
        length += item.str.length + 1;
      }
    }
  } finally {
    await reader.cancel(new Error("Enough was read")).catch(() => undefined);
    page.cleanup();
  }
  const text = joinLines(orderLines(lines()));
  const isCut = length > limit;
  return { text: isCut ? text.slice(0, limit) : text, isCut };
}
