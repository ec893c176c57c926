import type {
  CheckView as CheckState,
  ChecksReport,
} from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { post, useGet } from "../live/api.ts";
import { checks, hello } from "../live/page-state.ts";
import { useAction } from "../live/use-action.ts";
import { formatClock, formatCount } from "../text/figures.ts";
import { Panel, ViewHead } from "../ui/panel.tsx";
import { EmptyState, ErrorState, Loading, SwitchedOff } from "../ui/states.tsx";
import { CheckReport } from "./check/check-report.tsx";

function Progress({ upstream, says }: { readonly upstream: string; readonly says: string }) {
  const now = checks.value.get(upstream);
  const total = now?.state === "running" ? now.total : 0;
  return (
    <div class="stack" role="status">
      <progress
        aria-label={`Check of ${upstream}`}
        {...(total > 0 ? { max: total, value: now?.done ?? 0 } : {})}
      />
      <p>
        {now?.state === "running" ? now.says : says}
        {total > 0 ? (
          <span class="quiet">{` ${formatCount(now?.done ?? 0)} of ${formatCount(total)}`}</span>
        ) : null}
      </p>
    </div>
  );
}

function OneCheck({ check, onReport }: { readonly check: CheckState; readonly onReport: () => void }) {
  const { upstream, state, says, startedAtMs, report } = check;
  const action = useAction<void>();
  const canRun = hello.value?.hasActions === true && hello.value.hasCheck;
  const isRunning = state === "running";
  const send = (address: string): void =>
    action.start(async (signal) => {
      await post<ChecksReport>(address, { upstream }, signal);
      onReport();
    });
  return (
    <Panel
      title={upstream}
      note={startedAtMs === undefined ? undefined : `started at ${formatClock(startedAtMs)}`}
      actions={
        canRun ? (
          <button
            type="button"
            class={isRunning ? undefined : "primary"}
            disabled={action.isBusy}
            onClick={() => send(isRunning ? "/api/check/stop" : "/api/check")}
          >
            {isRunning ? "Stop" : state === "never" ? "Run the check" : "Run it again"}
          </button>
        ) : undefined
      }
    >
      <div class="stack">
        {action.problem === undefined ? null : <ErrorState problem={action.problem} />}
        {isRunning ? <Progress upstream={upstream} says={says} /> : null}
        {state === "never" ? (
          <p class="quiet">
            Not checked yet. A check starts the server once more, lists its tools, calls those that only read,
            and judges every answer by the rules of the contract.
          </p>
        ) : null}
        {state === "failed" ? (
          <ErrorState
            problem={{
              message: says,
              remedy: "Look at what the server writes to its log, then run it again.",
            }}
          />
        ) : null}
        {report === undefined ? null : <CheckReport report={report} />}
      </div>
    </Panel>
  );
}

/** The state of each upstream's check: changes when one begins or ends, not with each step. */
function standOfChecks(): string {
  return [...checks.value.values()].map(({ upstream, state }) => `${upstream} ${state}`).join("\n");
}

/** Judges the servers behind the gateway. */
export function CheckView() {
  const { value, problem, again } = useGet<ChecksReport>("/api/check", standOfChecks());
  const now = hello.value;
  return (
    <>
      <ViewHead
        title="Check"
        says="How well each server keeps the rules of a good tool result, and what to mend."
      />
      {now !== undefined && !now.hasCheck ? (
        <EmptyState title="This gateway has no checker.">
          <p>
            It was started from a program. Start it with the command line, or hand one in as{" "}
            <code>dashboard.check</code>. In a terminal: <code>waybill check -- your-server</code>.
          </p>
        </EmptyState>
      ) : null}
      {now?.hasCheck === true && !now.hasActions ? (
        <SwitchedOff what="Running checks" flag="--dashboard-actions" />
      ) : null}
      {problem === undefined ? null : <ErrorState problem={problem} again={again} />}
      {value === undefined && problem === undefined ? <Loading what="Asking for the checks" /> : null}
      {value?.checks.map((check) => (
        <OneCheck key={check.upstream} check={check} onReport={again} />
      ))}
    </>
  );
}
