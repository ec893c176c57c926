import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { go } from "../app/location.ts";
import { hasReplicas } from "../app/replica-choice.tsx";
import { linkToCall } from "../app/route.ts";
import { firstAtLeast } from "../live/call-list.ts";
import { CallRowView, callColumns } from "./call-row.tsx";
import { place } from "./list-place.ts";
import { loadOlder } from "./older-calls.ts";
import { rowAfterKey, scrollToShow, visibleWindow } from "./visible-window.ts";

/** As high as the sheet makes them: see traffic.css. */
const ROW_PX = 30;
const NARROW_ROW_PX = 54;
const narrow = matchMedia("(max-width: 1000px)");

function useRowHeight(): number {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const look = (): void => setNarrow(narrow.matches);
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
  return isNarrow ? NARROW_ROW_PX : ROW_PX;
}

/**
 * The list itself, newest first: only the rows in view exist. It is one stop of the Tab key; arrows move in it, Enter
 * opens. `rows` are oldest first, and only the first `count` are shown.
 */
export function CallGrid({ rows, count }: { readonly rows: readonly CallRow[]; readonly count: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = useRowHeight();
  const [view, setView] = useState({ top: place.scrollTop, height: 600 });
  const active = place.activeSeq.value;
  const indexOf = (seq: number | undefined): number | undefined => {
    if (seq === undefined) return undefined;
    const at = firstAtLeast(rows, seq);
    return at < count && rows[at]?.seq === seq ? count - 1 - at : undefined;
  };
  const activeIndex = indexOf(active);
  const { first, end } = visibleWindow(view.top, view.height, rowPx, count);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const measure = (): void => setView((before) => ({ ...before, height: element.clientHeight }));
    measure();
    element.scrollTop = place.scrollTop;
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => resized.disconnect();
  }, []);
  // "Follow" goes back to the top.
  const heldAt = place.heldAt.value;
  useLayoutEffect(() => {
    if (heldAt === undefined && frame.current !== null) frame.current.scrollTop = 0;
  }, [heldAt]);

  const scrolled = (element: HTMLElement): void => {
    const top = element.scrollTop;
    place.scrollTop = top;
    setView({ top, height: element.clientHeight });
    if (top > rowPx / 2) place.hold();
    else place.release();
    if (top + element.clientHeight * 2 > count * rowPx) void loadOlder();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" && active !== undefined && activeIndex !== undefined) {
      event.preventDefault();
      go(linkToCall(active));
      return;
    }
    const bodyHeight = view.height - rowPx;
    const next = rowAfterKey(event.key, activeIndex, count, Math.floor(bodyHeight / rowPx));
    const row = next === undefined ? undefined : rows[count - 1 - next];
    if (next === undefined || row === undefined) return;
    event.preventDefault();
    // Rows must not move away under the keys.
    place.hold();
    place.activeSeq.value = row.seq;
    const element = frame.current;
    if (element !== null) element.scrollTop = scrollToShow(next, element.scrollTop, bodyHeight, rowPx);
  };
  const open = (seq: number): void => {
    place.hold();
    place.activeSeq.value = seq;
    go(linkToCall(seq));
  };
  const columns = callColumns();
  const drawn = Array.from({ length: end - first }, (_, at) => first + at);
  const isActiveDrawn = activeIndex !== undefined && activeIndex >= first && activeIndex < end;
  return (
    <div
      ref={frame}
      class={hasReplicas() ? "calls replicated" : "calls"}
      role="grid"
      tabIndex={0}
      data-start={active === undefined ? undefined : ""}
      aria-label="Calls, newest first"
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={isActiveDrawn ? `call-${active}` : undefined}
      onScroll={(event) => scrolled(event.currentTarget)}
      onKeyDown={pressed}
    >
      <div role="rowgroup" class="calls-head">
        <div class="call" role="row" aria-rowindex={1}>
          {columns.map((name) => (
            <span key={name} role="columnheader" class={`${name.toLowerCase()}-head`}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="calls-body" style={{ height: `${count * rowPx}px` }}>
        {drawn.map((index) => {
          const row = rows[count - 1 - index];
          return row === undefined ? null : (
            <CallRowView
              key={row.seq}
              row={row}
              index={index}
              top={index * rowPx}
              isActive={row.seq === active}
              open={open}
            />
          );
        })}
      </div>
    </div>
  );
}
