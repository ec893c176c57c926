import { useMemo } from "preact/hooks";
import { replace } from "../app/location.ts";
import { ReplicaChoice } from "../app/replica-choice.tsx";
import { linkTo } from "../app/route.ts";
import { FirstCall } from "../overview/first-call.tsx";
import { calls, callsChanged, hello, isFromBefore, overview, skippedCalls } from "../live/page-state.ts";
import { formatCount, formatMany } from "../text/figures.ts";
import { ViewHead } from "../ui/panel.tsx";
import { CallGrid } from "./call-grid.tsx";
import { isEmptyFilter, readFilter } from "./call-filter.ts";
import { FilterBar } from "./filter-bar.tsx";
import { place } from "./list-place.ts";
import { ListedCalls, countUpTo } from "./listed-calls.ts";
import { NewCallsStatus } from "./new-calls-status.tsx";
import { hasOlder, isLoadingOlder, loadAll, olderProblem } from "./older-calls.ts";

/** What is listed of what is kept, and how to get the rest. */
function ListFoot({ shown, isFiltered }: { readonly shown: number; readonly isFiltered: boolean }) {
  const loaded = calls.rows.length;
  const skipped = skippedCalls.value;
  const problem = olderProblem.value;
  return (
    <footer class="list-foot">
      <span>
        {isFiltered
          ? `${formatCount(shown)} of ${formatMany(loaded, "loaded call")}`
          : formatMany(shown, "call")}
      </span>
      {skipped > 0 ? <span>{formatMany(skipped, "ordinary call")} came too fast to be listed</span> : null}
      {problem === undefined ? null : <span class="has-failed">{problem.message}</span>}
      {hasOlder() || skipped > 0 ? (
        <button type="button" class="small" disabled={isLoadingOlder.value} onClick={() => void loadAll()}>
          {isLoadingOlder.value ? "Loading…" : "Load all that are kept"}
        </button>
      ) : null}
    </footer>
  );
}

function FollowButton({ waiting }: { readonly waiting: number }) {
  const isHeld = place.heldAt.value !== undefined;
  if (!isHeld)
    return (
      <button type="button" onClick={() => place.pause()}>
        Pause
      </button>
    );
  return (
    <button type="button" class="primary" onClick={() => place.follow()}>
      {waiting === 0 ? "Follow" : `Show ${formatMany(waiting, "new call")}`}
    </button>
  );
}

function orderWords(isHeld: boolean): string {
  if (isFromBefore.value) return "Not live: these calls are from before, newest first.";
  return isHeld ? "Held: new calls wait." : "Live, newest first.";
}

/** Every call as it ends. */
export function TrafficView({ query }: { readonly query: URLSearchParams }) {
  // The list is no signal: reading its counter draws the view again when it has changed.
  void callsChanged.value;
  const listed = useMemo(() => new ListedCalls(), []);
  const filter = readFilter(query);
  const rows = listed.update(calls, filter);
  const count = countUpTo(rows, place.heldAt.value);
  const isHeld = place.heldAt.value !== undefined;
  const isFiltered = !isEmptyFilter(filter);
  const gateway = hello.value;
  const isEmpty = calls.rows.length === 0 && (overview.value?.totals.calls ?? 0) === 0;
  if (isEmpty && gateway !== undefined)
    return (
      <>
        <ViewHead title="Traffic" />
        <FirstCall hello={gateway} />
      </>
    );
  return (
    <>
      <ViewHead title="Traffic" says={orderWords(isHeld)}>
        <ReplicaChoice
          chosen={filter.replica}
          onChoose={(replica) => replace(linkTo("traffic", { ...filter, replica }))}
        />
        <FollowButton waiting={rows.length - count} />
      </ViewHead>
      <FilterBar filter={filter} />
      <NewCallsStatus isHeld={isHeld} />
      <div class="list">
        <CallGrid rows={rows} count={count} />
        {count === 0 ? (
          <p class="quiet list-empty">
            {isFiltered ? "No loaded call passes this filter." : "No call is loaded yet."}
          </p>
        ) : null}
        <ListFoot shown={count} isFiltered={isFiltered} />
      </div>
    </>
  );
}
