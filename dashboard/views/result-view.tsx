import type { CallDetail } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import { linkTo, linkToCall, linkToTool } from "../app/route.ts";
import { useGet } from "../live/api.ts";
import { hello } from "../live/page-state.ts";
import { BodyBlock } from "../reading/body-block.tsx";
import { formatMoment } from "../text/figures.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Panel, ViewHead } from "../ui/panel.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { BeforeAfter } from "./result/before-after.tsx";
import { CallFacts } from "./result/call-facts.tsx";
import { GivenToModel } from "./result/given-to-model.tsx";
import { LeftOut } from "./result/left-out.tsx";
import { Stages } from "./result/stages.tsx";

function Travelled({ detail }: { readonly detail: CallDetail }) {
  const { row, stages, reader } = detail;
  if (stages.length > 0)
    return (
      <Panel title="As it travelled" note="Tokens are those of what each stage handed on.">
        <Stages stages={stages} />
      </Panel>
    );
  return (
    <Panel title="As it travelled">
      <p>
        {row.isUntouched
          ? "The result fitted and had nothing to add: it left as the very bytes that the server sent."
          : reader === undefined
            ? whereKept(row)
            : "No stage ran: the result fitted, and was changed for its client alone."}
      </p>
    </Panel>
  );
}

/** What is kept of a call besides its row stays with the replica that took it. */
function whereKept({ replica }: CallDetail["row"]): string {
  return replica === undefined || replica === hello.value?.replica
    ? "What the stages did with this call is not kept any more."
    : `What the stages did with this call stays with the replica ${replica}: its own page shows it.`;
}

function Failure({ detail }: { readonly detail: CallDetail }) {
  const { failure, row } = detail;
  if (failure === undefined) return null;
  return (
    <Panel title="What the model was told" note={[row.errorCode, row.errorType].filter(Boolean).join(" · ")}>
      <div class="stack">
        <p class="failure-message">{failure.message}</p>
        {failure.remediation === "" ? null : <p>{failure.remediation}</p>}
      </div>
    </Panel>
  );
}

function Detail({ detail }: { readonly detail: CallDetail }) {
  const { bodies, warnings } = detail;
  return (
    <>
      <CallFacts row={detail.row} archives={detail.archives} />
      <Failure detail={detail} />
      {warnings.length === 0 ? null : (
        <Panel title="Warnings">
          <ul class="bullets">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Panel>
      )}
      <Travelled detail={detail} />
      <GivenToModel detail={detail} />
      <LeftOut detail={detail} />
      <BeforeAfter detail={detail} />
      {bodies === undefined ? null : (
        <Panel title="Arguments">
          <BodyBlock label="As the client sent them" body={bodies.arguments} />
        </Panel>
      )}
    </>
  );
}

/** One call as it travelled. */
export function ResultView({ seq }: { readonly seq: number }) {
  const { value, problem, again } = useGet<CallDetail>(`/api/calls/${seq}`);
  const row = value?.row;
  return (
    <>
      <ViewHead
        title={row === undefined ? `Call ${seq}` : row.tool}
        says={
          row === undefined ? undefined : (
            <span class="badges">
              Call {seq} of <a href={linkToTool(row.upstream, row.tool)}>{`${row.upstream} / ${row.tool}`}</a>
              <span>{formatMoment(row.at)}</span>
              <code>{row.requestId}</code>
              <CopyButton text={row.requestId} label="Copy id" />
            </span>
          )
        }
      >
        {seq > 1 ? (
          <a class="button" href={linkToCall(seq - 1)}>
            Previous
          </a>
        ) : null}
        <a class="button" href={linkToCall(seq + 1)}>
          Next
        </a>
        <a class="button" href={linkTo("traffic")}>
          All calls
        </a>
      </ViewHead>
      {problem === undefined ? null : <ErrorState problem={problem} again={again} />}
      {value === undefined && problem === undefined ? <Loading what="Reading the call" /> : null}
      {value === undefined ? null : <Detail detail={value} />}
    </>
  );
}
