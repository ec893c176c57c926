import { useMemo, useState } from "preact/hooks";
import type { QuestionReply } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import { post } from "../live/api.ts";
import { hello } from "../live/page-state.ts";
import { useAction } from "../live/use-action.ts";
import { BodyBlock } from "../reading/body-block.tsx";
import { formatMany } from "../text/figures.ts";
import { Field } from "../ui/field.tsx";
import { ErrorState } from "../ui/states.tsx";
import { exampleQuestions } from "./example-questions.ts";

function Answer({ asked }: { readonly asked: QuestionReply }) {
  return (
    <div class="stack" role="status">
      <BodyBlock label="Answer" body={asked.body} />
      <p class="quiet">
        {asked.count === undefined
          ? "Computed from the whole"
          : `Computed from ${formatMany(asked.count, "item")}`}
        , not only from what was delivered.
      </p>
      {asked.hints.map((hint) => (
        <p key={hint} class="note-warn">
          {hint}
        </p>
      ))}
    </div>
  );
}

/** A question to something archived, as a model asks it with `waybill_retrieve` and `select`. */
export function AskBox({
  address,
  about,
  sample = "",
}: {
  readonly address: string;
  /** What the address needs beside the question. */
  readonly about: Readonly<Record<string, string>>;
  /** What is asked, as far as the page has it: examples are made from it. */
  readonly sample?: string | undefined;
}) {
  const [select, setSelect] = useState("");
  const action = useAction<QuestionReply>();
  const examples = useMemo(() => exampleQuestions(sample), [sample]);
  if (hello.value?.hasBodies !== true)
    return (
      <p class="quiet">
        To ask it, start the gateway with <code>--dashboard-bodies</code>.
      </p>
    );
  const ask = (question: string): void =>
    action.start((signal) => post<QuestionReply>(address, { ...about, select: question }, signal));
  return (
    <div class="stack">
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (select.trim() !== "") ask(select.trim());
        }}
      >
        <Field label="Ask it" hint="A JMESPath expression. The answer is computed from the whole.">
          {(ties) => (
            <input
              {...ties}
              class="mono"
              value={select}
              placeholder={examples[0] ?? "length(@)"}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => setSelect(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit" class="primary" disabled={action.isBusy || select.trim() === ""}>
          {action.isBusy ? "Asking…" : "Ask"}
        </button>
      </form>
      {examples.length === 0 ? null : (
        <p class="badges">
          <span class="quiet">For example</span>
          {examples.map((example) => (
            <button
              key={example}
              type="button"
              class="small mono"
              onClick={() => {
                setSelect(example);
                ask(example);
              }}
            >
              {example}
            </button>
          ))}
        </p>
      )}
      {action.problem === undefined ? null : <ErrorState problem={action.problem} />}
      {action.value === undefined ? null : <Answer asked={action.value} />}
    </div>
  );
}
