import { useEffect, useRef, useState } from "preact/hooks";
import { calls, callsChanged } from "../live/page-state.ts";
import { firstAtLeast } from "../live/call-list.ts";
import { summarizeNew } from "./summarize-new.ts";

/** How often new calls are announced at most. */
const EVERY_MS = 5_000;

/** Tells those who listen what has come: a sentence every few seconds, not a row at a time. */
export function NewCallsStatus({ isHeld }: { readonly isHeld: boolean }) {
  const [says, setSays] = useState("");
  const told = useRef(calls.newestSeq);
  const held = useRef(isHeld);
  held.current = isHeld;
  useEffect(() => {
    const timer = setInterval(() => {
      const fresh = calls.rows.slice(firstAtLeast(calls.rows, told.current + 1));
      told.current = Math.max(told.current, calls.newestSeq);
      if (!held.current && fresh.length > 0) setSays(summarizeNew(fresh));
    }, EVERY_MS);
    // A gateway that was started again counts from one.
    const stop = callsChanged.subscribe(() => {
      if (calls.newestSeq < told.current) told.current = calls.newestSeq;
    });
    return () => {
      clearInterval(timer);
      stop();
    };
  }, []);
  return (
    <p class="unseen" role="status">
      {says}
    </p>
  );
}
