import { useState } from "preact/hooks";
import type {
  ArchiveLink,
  CallDetail,
  RetrieveReply,
} from "../../../src/doors/gateway/dashboard/protocol/result.ts";
import { AskBox } from "../../archived/ask-box.tsx";
import { RetrievedBody } from "../../archived/retrieved-body.tsx";
import { ShortHash } from "../../archived/verdict.tsx";
import { post } from "../../live/api.ts";
import { useAction } from "../../live/use-action.ts";
import { formatMany } from "../../text/figures.ts";
import { Panel } from "../../ui/panel.tsx";
import { ErrorState } from "../../ui/states.tsx";

/** The most ids that are drawn; a cut can leave out thousands. */
const IDS_SHOWN = 120;

function DroppedIds({
  ids,
  chosen,
  onChoose,
}: {
  readonly ids: readonly string[];
  readonly chosen: readonly string[];
  readonly onChoose: ((ids: readonly string[]) => void) | undefined;
}) {
  return (
    <div class="stack">
      <h3>
        Left out: {formatMany(ids.length, "id")}
        {onChoose === undefined ? null : <span class="quiet"> · choose some to retrieve only those</span>}
      </h3>
      <ul class="chips">
        {ids.slice(0, IDS_SHOWN).map((id) => (
          <li key={id}>
            {onChoose === undefined ? (
              <code>{id}</code>
            ) : (
              <button
                type="button"
                class="small mono"
                aria-pressed={chosen.includes(id)}
                onClick={() =>
                  onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
                }
              >
                {id}
              </button>
            )}
          </li>
        ))}
        {ids.length > IDS_SHOWN ? (
          <li class="quiet">and {formatMany(ids.length - IDS_SHOWN, "more id")}</li>
        ) : null}
      </ul>
    </div>
  );
}

function Kept({
  seq,
  archive,
  ids,
  sample,
}: {
  readonly seq: number;
  readonly archive: ArchiveLink;
  readonly ids: readonly string[];
  /** The result as the server sent it. */
  readonly sample: string | undefined;
}) {
  const action = useAction<RetrieveReply>();
  if (archive.gone !== undefined)
    return (
      <div class="stack">
        <p class="badges">
          <strong>{archive.name}</strong>
          <ShortHash hash={archive.hash} />
        </p>
        <p class="note-warn">{archive.gone} Call the tool again to have it again.</p>
      </div>
    );
  const body = ids.length === 0 ? { hash: archive.hash } : { hash: archive.hash, ids };
  const what =
    ids.length === 0 ? "Retrieve and verify" : `Retrieve ${formatMany(ids.length, "id")} and verify`;
  return (
    <div class="stack">
      <p class="badges">
        <strong>{archive.name}</strong>
        <ShortHash hash={archive.hash} />
        <button
          type="button"
          class="primary"
          disabled={action.isBusy}
          onClick={() =>
            action.start((signal) => post<RetrieveReply>(`/api/calls/${seq}/retrieve`, body, signal))
          }
        >
          {action.isBusy ? "Retrieving…" : what}
        </button>
      </p>
      {action.problem === undefined ? null : <ErrorState problem={action.problem} />}
      {action.value === undefined ? null : <RetrievedBody retrieved={action.value} label={archive.name} />}
      <AskBox address={`/api/calls/${seq}/ask`} about={{ hash: archive.hash }} sample={sample} />
    </div>
  );
}

/** What the answer did not carry: named, kept whole, and one press away. */
export function LeftOut({ detail }: { readonly detail: CallDetail }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const { archives, droppedIds, row } = detail;
  if (archives.length === 0 && droppedIds.length === 0) return null;
  return (
    <Panel title="What was left out" note="The whole was stored before the cut was announced.">
      <div class="stack">
        {droppedIds.length === 0 ? null : (
          <DroppedIds
            ids={droppedIds}
            chosen={chosen}
            onChoose={archives.every(({ gone }) => gone !== undefined) ? undefined : setChosen}
          />
        )}
        {archives.map((archive) => (
          <Kept
            key={archive.hash}
            seq={row.seq}
            archive={archive}
            ids={chosen}
            sample={detail.bodies?.before.text}
          />
        ))}
      </div>
    </Panel>
  );
}
