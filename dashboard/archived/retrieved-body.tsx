import type { RetrieveReply } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import { hello } from "../live/page-state.ts";
import { BodyBlock } from "../reading/body-block.tsx";
import { Verdict } from "./verdict.tsx";

/** What came back from the archive, and whether it is what was put in. */
export function RetrievedBody({
  retrieved,
  label,
}: {
  readonly retrieved: RetrieveReply;
  readonly label: string;
}) {
  const { body, contentType, isVerified, missing = [] } = retrieved;
  return (
    <div class="stack">
      <Verdict judged={retrieved} />
      {missing.length === 0 ? null : <p>Nothing was found for {missing.join(", ")}.</p>}
      {body === undefined ? null : <BodyBlock label={label} body={body} />}
      {body === undefined && isVerified ? (
        <p class="quiet">
          {hello.value?.hasBodies === true ? (
            `The content is ${contentType} and is not shown as text.`
          ) : (
            <>
              The content is shown where the gateway runs with <code>--dashboard-bodies</code>.
            </>
          )}
        </p>
      ) : null}
    </div>
  );
}
