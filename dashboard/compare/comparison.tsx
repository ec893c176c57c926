// Before and after, side by side; one below the other where the page is narrow.

import { useMemo, useState } from "preact/hooks";
import { shortLine } from "../reading/body-block.tsx";
import { readableLines } from "../reading/readable-lines.ts";
import { formatCount, formatMany } from "../text/figures.ts";
import { type Cell, compareTexts, foldRows, type Part, type Row } from "./compare-texts.ts";

/** How many rows of a folded part one press shows. */
const ROWS_AT_ONCE = 500;

const foldWords: Readonly<Record<Part["kind"], string>> = {
  same: "equal",
  before: "only before",
  after: "only after",
  changed: "changed",
};

function LineText({ cell }: { readonly cell: Cell }) {
  const { line, mark } = cell;
  const text = shortLine(line.text);
  if (mark === undefined || mark[1] <= mark[0] || mark[1] > text.length) return <>{text}</>;
  return (
    <>
      {text.slice(0, mark[0])}
      <mark>{text.slice(mark[0], mark[1])}</mark>
      {text.slice(mark[1])}
    </>
  );
}

function Side({ row, side }: { readonly row: Row; readonly side: "left" | "right" }) {
  const cell = row[side];
  if (cell === undefined) return <td class={`${side} absent`} />;
  const sign = side === "left" ? "−" : "+";
  const tone = cell.line.isHeading ? " heading" : "";
  return (
    <td class={`${side}${row.isSame ? "" : " differs"}${tone}`}>
      <span class="line-number" aria-hidden="true">
        {formatCount(cell.number)}
      </span>
      <span class="sign">{row.isSame ? " " : sign}</span>
      <code>
        <LineText cell={cell} />
      </code>
    </td>
  );
}

function PartRows({ part }: { readonly part: Part }) {
  const [shown, setShown] = useState(0);
  const visible = part.isFolded ? part.rows.slice(0, shown) : part.rows;
  const left = part.rows.length - visible.length;
  return (
    <tbody>
      {visible.map((row) => (
        <tr key={`${row.left?.number}-${row.right?.number}`} class={row.isSame ? "same" : undefined}>
          <Side row={row} side="left" />
          <Side row={row} side="right" />
        </tr>
      ))}
      {left > 0 ? (
        <tr class="fold">
          <td colSpan={2}>
            <button type="button" class="small" onClick={() => setShown(shown + ROWS_AT_ONCE)}>
              {left > ROWS_AT_ONCE ? `Show ${ROWS_AT_ONCE} of ` : "Show "}
              {formatMany(left, "line")} {foldWords[part.kind]}
            </button>
          </td>
        </tr>
      ) : null}
    </tbody>
  );
}

/** Two texts; what differs is marked, long stretches of one kind are folded. */
export function Comparison({
  before,
  after,
  beforeName,
  afterName,
}: {
  readonly before: string;
  readonly after: string;
  readonly beforeName: string;
  readonly afterName: string;
}) {
  const rows = useMemo(() => compareTexts(readableLines(before), readableLines(after)), [before, after]);
  const parts = useMemo(() => foldRows(rows), [rows]);
  return (
    <div class="compare" role="group" aria-label="Lines before and after" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{beforeName}</th>
            <th scope="col">{afterName}</th>
          </tr>
        </thead>
        {parts.map((part, at) => (
          <PartRows key={at} part={part} />
        ))}
      </table>
    </div>
  );
}
