import { useState } from "preact/hooks";
import type {
  Body,
  CallDetail,
  DialectChoices,
  TranslatedResult,
} from "../../../src/doors/gateway/dashboard/protocol/result.ts";
import { Comparison } from "../../compare/comparison.tsx";
import { useGet } from "../../live/api.ts";
import { hello } from "../../live/page-state.ts";
import { BodyBlock, sizeOf } from "../../reading/body-block.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segments.tsx";
import { EmptyState, ErrorState, Loading, SwitchedOff } from "../../ui/states.tsx";

const layouts = ["both", "before", "after"] as const;
const layoutNames = { both: "Side by side", before: "Before", after: "After" } as const;

const DELIVERED = "";

function Choice({
  label,
  none,
  choices,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly none: string;
  readonly choices: readonly string[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}) {
  return (
    <label class="inline-choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value={DELIVERED}>{none}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </label>
  );
}

function asAddress(seq: number, dialect: string, profile: string): string | undefined {
  if (dialect === DELIVERED && profile === DELIVERED) return undefined;
  const query = new URLSearchParams();
  if (dialect !== DELIVERED) query.set("dialect", dialect);
  if (profile !== DELIVERED) query.set("profile", profile);
  return `/api/calls/${seq}/as?${query.toString()}`;
}

/** Why there is no content: it made room for later calls, or stays with a replica that did not answer. */
function NotHere({ row: { replica } }: { readonly row: CallDetail["row"] }) {
  if (replica !== undefined && replica !== hello.value?.replica)
    return (
      <EmptyState title="What this call carried is not kept here.">
        <p>It was taken by the replica {replica}, which keeps the newest results while it runs.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="What this call carried is not kept any more.">
      <p>The gateway keeps the newest results, and failures and cuts longer than others.</p>
    </EmptyState>
  );
}

/** The result as the server sent it and as it was delivered, or as it would be in other words. */
export function BeforeAfter({ detail }: { readonly detail: CallDetail }) {
  const { bodies, row, whyNoBodies } = detail;
  const [layout, setLayout] = useState<(typeof layouts)[number]>("both");
  const [dialect, setDialect] = useState(DELIVERED);
  const [profile, setProfile] = useState(DELIVERED);
  const choices = useGet<DialectChoices>(bodies === undefined ? undefined : "/api/dialects");
  const translated = useGet<TranslatedResult>(asAddress(row.seq, dialect, profile));
  if (bodies === undefined)
    return (
      <Panel title="Before and after">
        {whyNoBodies === "bodies-off" ? (
          <SwitchedOff what="Showing what calls carried" flag="--dashboard-bodies" />
        ) : (
          <NotHere row={row} />
        )}
      </Panel>
    );
  const isDelivered = dialect === DELIVERED && profile === DELIVERED;
  const after: Body | undefined = isDelivered ? bodies.after : translated.value?.body;
  const afterName = isDelivered
    ? "After: as delivered"
    : `After: ${translated.value?.dialect ?? dialect} ${translated.value?.profile ?? profile}`;
  return (
    <Panel
      title="Before and after"
      isFlush
      actions={
        <>
          <Choice
            label="Dialect"
            none="as delivered"
            choices={choices.value?.dialects ?? []}
            value={dialect}
            onChoose={setDialect}
          />
          <Choice
            label="Profile"
            none="as delivered"
            choices={choices.value?.profiles ?? []}
            value={profile}
            onChoose={setProfile}
          />
          <Segments
            label="Layout"
            values={layouts}
            value={layout}
            nameOf={(one) => layoutNames[one]}
            onChoose={setLayout}
          />
        </>
      }
    >
      <p class="compare-sizes quiet" role="status">
        Before: {sizeOf(bodies.before)}. {after === undefined ? "" : `After: ${sizeOf(after)}.`}
      </p>
      {isDelivered
        ? null
        : (translated.value?.losses ?? []).map((loss) => (
            <p key={loss} class="note-warn">
              {loss}
            </p>
          ))}
      {!isDelivered && translated.problem !== undefined ? (
        <ErrorState problem={translated.problem} again={translated.again} />
      ) : null}
      {after === undefined && translated.problem === undefined ? (
        <Loading what="Saying it in other words" />
      ) : null}
      {layout === "both" && after !== undefined ? (
        <Comparison
          before={bodies.before.text}
          after={after.text}
          beforeName="Before: from the server"
          afterName={afterName}
        />
      ) : null}
      {layout === "before" ? <BodyBlock label="Before: from the server" body={bodies.before} /> : null}
      {layout === "after" && after !== undefined ? <BodyBlock label={afterName} body={after} /> : null}
    </Panel>
  );
}
