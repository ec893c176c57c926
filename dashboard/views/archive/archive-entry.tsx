import { useEffect } from "preact/hooks";
import type { Verified } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import type { RetrieveReply } from "../../../src/doors/gateway/dashboard/protocol/result.ts";
import { linkTo } from "../../app/route.ts";
import { AskBox } from "../../archived/ask-box.tsx";
import { RetrievedBody } from "../../archived/retrieved-body.tsx";
import { Verdict } from "../../archived/verdict.tsx";
import { post } from "../../live/api.ts";
import { hello } from "../../live/page-state.ts";
import { useAction } from "../../live/use-action.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ErrorState, Loading } from "../../ui/states.tsx";

/** Which entry: the address of the view holds it as `KEY/HASH`. */
export interface EntryName {
  readonly tenantKey: string;
  readonly hash: string;
}

export function readEntryName(text: string | null): EntryName | undefined {
  const [tenantKey, hash] = (text ?? "").split("/", 2);
  return tenantKey === undefined || hash === undefined ? undefined : { tenantKey, hash };
}

export function linkToEntry({ tenantKey, hash }: EntryName): string {
  return linkTo("archive", { entry: `${tenantKey}/${hash}` });
}

/** One entry: verified when it is opened, shown where bodies are allowed, and asked. */
export function ArchiveEntry({ name }: { readonly name: EntryName }) {
  const read = useAction<RetrieveReply>();
  const verify = useAction<Verified>();
  const hasBodies = hello.value?.hasBodies === true;
  const body = { tenantKey: name.tenantKey, hash: name.hash };
  useEffect(() => {
    if (hasBodies) read.start((signal) => post<RetrieveReply>("/api/archive/read", body, signal));
    else verify.start((signal) => post<Verified>("/api/archive/verify", body, signal));
  }, [name.tenantKey, name.hash, hasBodies]);
  const problem = read.problem ?? verify.problem;
  return (
    <Panel
      title="Entry"
      note={<code class="hash">{name.hash}</code>}
      actions={
        <>
          <CopyButton text={name.hash} label="Copy hash" />
          <a class="button" href={linkTo("archive")}>
            Close
          </a>
        </>
      }
    >
      <div class="stack">
        {read.isBusy || verify.isBusy ? <Loading what="Reading and verifying" /> : null}
        {problem === undefined ? null : <ErrorState problem={problem} />}
        {verify.value === undefined ? null : <Verdict judged={verify.value} />}
        {read.value === undefined ? null : <RetrievedBody retrieved={read.value} label="Content" />}
        <AskBox address="/api/archive/ask" about={body} sample={read.value?.body?.text} />
      </div>
    </Panel>
  );
}
