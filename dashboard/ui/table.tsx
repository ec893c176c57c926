import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

export interface Column<Row> {
  readonly head: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are at the right, one below the other. */
  readonly isNumber?: boolean | undefined;
  /** The column can be sorted by this; numbers begin with the largest. */
  readonly sortBy?: ((row: Row) => number | string) | undefined;
  /** Left out where the page is narrow. */
  readonly isExtra?: boolean | undefined;
}

interface TableProps<Row> {
  /** What the table shows, for those who do not see its surroundings. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown instead of rows. */
  readonly empty?: ComponentChildren;
  /** Where the page is narrow, each row is a card with the heads beside its cells. */
  readonly isCards?: boolean | undefined;
}

interface Sorting {
  readonly column: number;
  readonly isDown: boolean;
}

/** Sorted by a column; in their own order where none was chosen. */
function sortRows<Row>(
  rows: readonly Row[],
  sortBy: ((row: Row) => number | string) | undefined,
  isDown: boolean,
): readonly Row[] {
  if (sortBy === undefined) return rows;
  const sign = isDown ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)];
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * String(a).localeCompare(String(b), "en", { numeric: true });
  });
}

function classOf<Row>(column: Column<Row>): string | undefined {
  return [column.isNumber && "number", column.isExtra && "extra"].filter(Boolean).join(" ") || undefined;
}

/** A table that scrolls sideways in itself, with columns that sort. */
export function Table<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty = "Nothing yet.",
  isCards = false,
}: TableProps<Row>) {
  const [sorting, setSorting] = useState<Sorting | undefined>(undefined);
  const sortBy = sorting === undefined ? undefined : columns[sorting.column]?.sortBy;
  const sorted = sortRows(rows, sortBy, sorting?.isDown ?? false);
  const press = (at: number): void => {
    const first = columns[at]?.isNumber ?? false;
    setSorting(
      sorting?.column === at ? { column: at, isDown: !sorting.isDown } : { column: at, isDown: first },
    );
  };
  const orderOf = (at: number): "ascending" | "descending" | undefined => {
    if (sorting?.column !== at) return undefined;
    return sorting.isDown ? "descending" : "ascending";
  };
  return (
    <div class={isCards ? "table-frame cards" : "table-frame"} role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={column.head} scope="col" class={classOf(column)} aria-sort={orderOf(at)}>
                {column.sortBy === undefined ? (
                  column.head
                ) : (
                  <button type="button" class="sort" onClick={() => press(at)}>
                    {column.head}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.head} class={classOf(column)} data-head={column.head}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          {rows.length === 0 ? (
            <tr>
              <td class="quiet" colSpan={columns.length}>
                {empty}
              </td>
            </tr>
          ) : null}
        </tbody>
      </table>
    </div>
  );
}
