import { useMemo, useState } from "preact/hooks";
import type { Body } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import { formatCount, formatMany } from "../text/figures.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { readableLines } from "./readable-lines.ts";

/** How many lines are drawn at first, and how many more with each press. */
const LINES_AT_ONCE = 400;
/** A line longer than this is cut on the page; copying gives all of it. */
const LINE_CHARS = 2_000;
/** A line that is no text to read, such as the bytes of an image, is cut here. */
const SOLID_CHARS = 200;
const solid = /\S{400}/;

/** Size of a body, in words. */
export function sizeOf({ chars, tokens, isEstimated = false, isHead }: Body): string {
  const about = isEstimated ? "about " : "";
  return `${about}${formatMany(tokens, "token")}, ${formatMany(chars, "character")}${isHead ? "; only the beginning was kept" : ""}`;
}

/** A line as it is drawn. */
export function shortLine(text: string): string {
  if (text.length <= SOLID_CHARS) return text;
  const limit = solid.test(text.slice(0, LINE_CHARS)) ? SOLID_CHARS : LINE_CHARS;
  if (text.length <= limit) return text;
  return `${text.slice(0, limit)}… ${formatCount(text.length - limit)} more characters`;
}

/** A kept text, laid out for people. What is copied is the text as it was. */
export function BodyBlock({ label, body }: { readonly label: string; readonly body: Body }) {
  const lines = useMemo(() => readableLines(body.text), [body.text]);
  const [shown, setShown] = useState(LINES_AT_ONCE);
  const left = lines.length - shown;
  return (
    <>
      <CodeBlock label={label} note={sizeOf(body)} text={body.text} isWrapped>
        {lines.slice(0, shown).map(({ text, isHeading }, at) => (
          <span key={at} class={isHeading ? "line heading" : "line"}>
            {`${shortLine(text)}\n`}
          </span>
        ))}
      </CodeBlock>
      {left > 0 ? (
        <button type="button" class="small" onClick={() => setShown(shown + LINES_AT_ONCE)}>
          Show more of {formatMany(left, "line")}
        </button>
      ) : null}
    </>
  );
}
