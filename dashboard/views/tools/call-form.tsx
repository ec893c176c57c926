import { useMemo, useRef, useState } from "preact/hooks";
import type { OwnCall, ToolView } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { linkToCall } from "../../app/route.ts";
import type { Draft } from "../../form/field.ts";
import { FormFields } from "../../form/form-fields.tsx";
import { readSchema } from "../../form/read-schema.ts";
import { type ReadForm, readArguments, toArguments } from "../../form/to-arguments.ts";
import { namesWithoutField, toDraft } from "../../form/to-draft.ts";
import { post } from "../../live/api.ts";
import { hello } from "../../live/page-state.ts";
import { useAction } from "../../live/use-action.ts";
import { BodyBlock } from "../../reading/body-block.tsx";
import { formatMany } from "../../text/figures.ts";
import { Badge } from "../../ui/badge.tsx";
import { Field } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segments.tsx";
import { ErrorState, SwitchedOff } from "../../ui/states.tsx";

const ways = ["form", "json"] as const;
type Way = (typeof ways)[number];

function Outcome({ call }: { readonly call: OwnCall }) {
  return (
    <div class="stack" role="status">
      <p class="badges">
        <Badge tone={call.isError ? "bad" : "good"}>{call.isError ? "failed" : "ended well"}</Badge>
        {call.seq === undefined ? null : (
          <a href={linkToCall(call.seq)}>See call {call.seq} as it travelled</a>
        )}
      </p>
      {call.body === undefined ? (
        <p class="quiet">
          The result is shown where the gateway runs with <code>--dashboard-bodies</code>.
        </p>
      ) : (
        <BodyBlock label="Result of the call" body={call.body} />
      )}
    </div>
  );
}

/** Whether the tool says that it only reads, or that it may destroy something. */
function Manners({ tool }: { readonly tool: ToolView }) {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {};
  if (readOnlyHint === true) return null;
  return (
    <p class={destructiveHint === true ? "note-warn" : "quiet"}>
      {destructiveHint === true
        ? "The server says that this tool may delete or overwrite something. The call is real."
        : "The call is real: it reaches the server as any client's call does."}
    </p>
  );
}

/** Calls the tool with what is filled in. */
export function CallForm({
  upstream,
  tool,
  onCalled,
}: {
  readonly upstream: string;
  readonly tool: ToolView;
  readonly onCalled: () => void;
}) {
  const fields = useMemo(() => readSchema(tool.inputSchema), [tool.inputSchema]);
  const [way, setWay] = useState<Way>(fields === undefined ? "json" : "form");
  const [draft, setDraft] = useState<Draft>({});
  const [text, setText] = useState("");
  const [isTried, setTried] = useState(false);
  const [note, setNote] = useState<string | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  const action = useAction<OwnCall>();
  if (hello.value?.hasActions !== true)
    return (
      <Panel title="Call it">
        <SwitchedOff what="Calling tools" flag="--dashboard-actions" />
      </Panel>
    );
  const read = (): ReadForm =>
    way === "form" && fields !== undefined ? toArguments(fields, draft) : readArguments(text);
  const { arguments: values, problems } = read();
  const shown = isTried ? problems : [];

  const change = (next: Way): void => {
    setNote(undefined);
    if (next === "json") {
      setText(JSON.stringify(values, null, 2));
      const unread = problems.filter(({ isUnread }) => isUnread === true);
      if (unread.length > 0)
        setNote(
          `Taken over as a text, just as you typed it: ${unread.map(({ path, says }) => `${path} (${says})`).join(", ")}`,
        );
    } else if (fields !== undefined) {
      const lost = namesWithoutField(fields, values);
      if (problems.length === 0) setDraft(toDraft(fields, values));
      if (problems.length > 0) setNote("The JSON was not taken over, because it is not an object of JSON.");
      else if (lost.length > 0)
        setNote(`The form has no field for ${lost.join(", ")}: stay with JSON to send it.`);
    }
    setTried(false);
    setWay(next);
  };
  const submit = (): void => {
    setTried(true);
    if (problems.length === 0) {
      const body = { upstream, tool: tool.name, arguments: values };
      action.start((signal) => post<OwnCall>("/api/tools/call", body, signal).finally(onCalled));
      return;
    }
    // After this press the problems are drawn; the first one is where to go on.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
  };
  return (
    <Panel
      title="Call it"
      actions={
        fields === undefined ? undefined : (
          <Segments
            label="How arguments are written"
            values={ways}
            value={way}
            nameOf={(one) => (one === "form" ? "Form" : "JSON")}
            onChoose={change}
          />
        )
      }
    >
      <form
        ref={form}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {note === undefined ? null : <p class="note-warn">{note}</p>}
        {way === "form" && fields !== undefined ? (
          <FormFields fields={fields} draft={draft} prefix="" problems={shown} onChange={setDraft} />
        ) : (
          <Field
            label="Arguments as JSON"
            problem={shown[0]?.says}
            hint="Sent as they are, also where they break the schema."
          >
            {(ties) => (
              <textarea
                {...ties}
                rows={10}
                value={text}
                placeholder="{}"
                spellcheck={false}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        {way === "form" && fields?.length === 0 ? <p class="quiet">This tool takes no arguments.</p> : null}
        <Manners tool={tool} />
        <p class="badges">
          <button type="submit" class="primary" disabled={action.isBusy}>
            {action.isBusy ? "Waiting for the server…" : `Call ${tool.name}`}
          </button>
          {action.isBusy ? (
            <button type="button" onClick={action.forget}>
              Stop waiting
            </button>
          ) : null}
          {shown.length === 0 ? null : (
            <span class="field-problem" role="alert">
              {formatMany(shown.length, "thing")} to mend first.
            </span>
          )}
        </p>
      </form>
      <div class="call-outcome">
        {action.problem === undefined ? null : <ErrorState problem={action.problem} />}
        {action.value === undefined ? null : <Outcome call={action.value} />}
      </div>
    </Panel>
  );
}
