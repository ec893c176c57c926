import type {
  CallDetail,
  GivenLimit,
  GivenView,
  ReaderView,
} from "../../../src/doors/gateway/dashboard/protocol/result.ts";
import { BodyBlock } from "../../reading/body-block.tsx";
import { formatCount, formatShare } from "../../text/figures.ts";
import { Panel } from "../../ui/panel.tsx";

const channels: Readonly<Record<GivenView["channel"], string>> = {
  blocks: "The blocks of the result",
  structure: "The structure alone",
  both: "The blocks and the structure",
  whole: "The whole result as JSON",
};

/** How it is known which client it is. */
function howKnown({ chosenBy, client, name }: ReaderView): string {
  const ways: Readonly<Record<ReaderView["chosenBy"], string>> = {
    setting: "named by the setting reader",
    name: client === name ? "by its own name" : `by its own name, ${client}`,
    model: "by the model that it names",
    request: "the request asked for a form of its own",
    off: "clients are not looked up here",
    nothing: client === undefined ? "it gave no name" : `it calls itself ${client}`,
  };
  return ways[chosenBy];
}

function Client({ reader }: { readonly reader: ReaderView }) {
  const isKnown = reader.chosenBy !== "nothing" && reader.chosenBy !== "off";
  return (
    <div>
      <dt>Client</dt>
      <dd>
        {isKnown ? reader.name : "Not known"} <span class="quiet">{howKnown(reader)}</span>
      </dd>
    </div>
  );
}

/** What the client does with more than its limit. */
function withMore({ keeps, isOfText, taken, unit }: GivenLimit): string {
  const what = keeps === "a file" ? "more goes to a file" : `of more it keeps ${keeps}`;
  const own = taken === 0 ? "" : `, and up to ${formatCount(taken)} ${unit} are the client's own words`;
  return `${isOfText ? "the longest text; " : ""}${what}${own}`;
}

function Limit({ limit }: { readonly limit: GivenLimit }) {
  const { used, most, unit, isEstimated = false, taken } = limit;
  const about = isEstimated ? "≈ " : "";
  return (
    <div class="given-limit">
      <dt>
        Of its {formatCount(most)} {unit}
      </dt>
      <dd>
        {about}
        {formatCount(used)} <span class="quiet">{formatShare(used, most)}</span>
        <meter min={0} max={most} high={most - taken} value={used} aria-hidden="true" />
        <small class="quiet">{withMore(limit)}</small>
      </dd>
    </div>
  );
}

/** One way in which the result may be shown: how much it is, and the texts if they are kept. */
function View({ view, reader }: { readonly view: GivenView; readonly reader: ReaderView }) {
  const isOne = reader.views.length === 1;
  const { channel, tokens, isEstimated = false, limits, joint, texts = [] } = view;
  const named = channels[channel];
  const label = joint === undefined ? named : `${named}; between the texts ${joint}`;
  return (
    <div class="stack">
      <dl class="facts">
        {isOne ? <Client reader={reader} /> : null}
        <div>
          <dt>{isOne ? "It gets" : "If it gets"}</dt>
          <dd class="given-channel">{named}</dd>
        </div>
        <div>
          <dt>Tokens of it</dt>
          <dd>
            {isEstimated ? "≈ " : ""}
            {formatCount(tokens)}
          </dd>
        </div>
        {limits.map((limit) => (
          <Limit key={limit.unit} limit={limit} />
        ))}
      </dl>
      {texts.map((body, at) => (
        <BodyBlock
          key={at}
          label={texts.length === 1 ? label : `${label}, text ${at + 1} of ${texts.length}`}
          body={body}
        />
      ))}
    </div>
  );
}

function nothingChanged({ row }: CallDetail, { views }: ReaderView): string {
  if (row.isUntouched) return "Nothing: as the server sent it.";
  const isCutToFit = row.fidelity !== "full" && views.some(({ limits }) => limits.length > 0);
  return isCutToFit ? "Nothing but the cut, which keeps to its limits." : "Nothing for this client alone.";
}

function Changes({ detail, reader }: { readonly detail: CallDetail; readonly reader: ReaderView }) {
  const { changes, failings = [], dropped, hasMeta } = reader;
  const isUnsaid = dropped !== undefined && failings.length === 0;
  return (
    <div class="stack">
      <h3>Changed for this client</h3>
      {changes.length === 0 ? (
        <p>{nothingChanged(detail, reader)}</p>
      ) : (
        <ul class="bullets">
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
      )}
      {failings.map((failing) => (
        <p key={failing} class="note-warn">
          This client {failing}.
        </p>
      ))}
      {isUnsaid ? <p class="note-warn">This client does not show its model {dropped}.</p> : null}
      {hasMeta ? (
        <p class="quiet">
          Its model gets <code>_meta</code> too.
        </p>
      ) : null}
    </div>
  );
}

/** Which client is behind the call, and what its model was given of the result. */
export function GivenToModel({ detail }: { readonly detail: CallDetail }) {
  const { reader } = detail;
  if (reader === undefined) return null;
  const { views, chosenBy } = reader;
  const isProgram = chosenBy === "request" || reader.id === "program";
  return (
    <Panel title={isProgram ? "What the program was given" : "What the model was given"}>
      <div class="stack wide given">
        {views.length === 1 ? null : (
          <dl class="facts">
            <Client reader={reader} />
          </dl>
        )}
        {views.length > 1 ? (
          <p class="quiet">
            It is not known which of the two channels this client shows: each is looked at by itself.
          </p>
        ) : null}
        {views.map((view) => (
          <View key={view.channel} view={view} reader={reader} />
        ))}
        {views.length === 0 ? (
          <p class="quiet">The result is too long to be looked at as this client shows it.</p>
        ) : null}
        <Changes detail={detail} reader={reader} />
      </div>
    </Panel>
  );
}
