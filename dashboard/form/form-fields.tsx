// Draws the fields of a form. What was typed is in one draft above; every change makes a new one.

import type { JsonValue } from "../../src/core/json/json-value.ts";
import { Field as Labelled } from "../ui/field.tsx";
import {
  type ChoiceField,
  type Draft,
  type Field,
  type GroupField,
  isEmptyText,
  type ListField,
  type TextField,
} from "./field.ts";
import type { FormProblem } from "./to-arguments.ts";

interface FieldProps<Kind extends Field> {
  readonly field: Kind;
  readonly draft: Draft;
  readonly path: string;
  readonly problems: readonly FormProblem[];
  readonly onChange: (draft: Draft) => void;
  /** Shown instead of its name, for an item in a list. */
  readonly label?: string | undefined;
}

const asText = (draft: Draft): string => (typeof draft === "string" ? draft : "");

function sayValue(value: JsonValue): string {
  if (value === true) return "yes (true)";
  if (value === false) return "no (false)";
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

function hintOf({ description, rules, fallback }: Field): string | undefined {
  const parts = [
    ...(description === undefined ? [] : [description]),
    ...(rules.length === 0 ? [] : [rules.join(", ")]),
    ...(fallback === undefined ? [] : [`default: ${JSON.stringify(fallback)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(" · ");
}

function problemAt(path: string, problems: readonly FormProblem[]): string | undefined {
  return problems.find((problem) => problem.path === path)?.says;
}

function TextInput({ field, draft, onChange, ties }: FieldProps<TextField> & { readonly ties: object }) {
  const value = asText(draft);
  const input = {
    ...ties,
    value,
    spellcheck: false,
    placeholder: typeof field.example === "string" ? field.example : undefined,
  };
  const isLong = field.maxLength > 500 && /content|text|body|query|prompt|message|code|sql/i.test(field.name);
  if (isLong || value.includes("\n"))
    return <textarea {...input} rows={3} onInput={(event) => onChange(event.currentTarget.value)} />;
  return <input {...input} autocomplete="off" onInput={(event) => onChange(event.currentTarget.value)} />;
}

function ChoiceInput({ field, draft, onChange, ties }: FieldProps<ChoiceField> & { readonly ties: object }) {
  return (
    <select {...ties} value={asText(draft)} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{field.isRequired ? "Choose…" : "not given"}</option>
      {field.choices.map((choice, at) => (
        <option key={at} value={String(at)}>
          {sayValue(choice)}
        </option>
      ))}
    </select>
  );
}

function Scalar(props: FieldProps<Exclude<Field, ListField | GroupField>>) {
  const { field, draft, path, problems, onChange, label } = props;
  const problem = problemAt(path, problems);
  const canBeEmpty = field.kind === "text" && field.minLength === 0;
  const isEmpty = isEmptyText(draft);
  return (
    <>
      <Labelled
        label={label ?? field.title ?? field.name}
        hint={hintOf(field)}
        problem={problem}
        isRequired={field.isRequired}
      >
        {(ties) => {
          if (field.kind === "text") return <TextInput {...props} field={field} ties={ties} />;
          if (field.kind === "choice") return <ChoiceInput {...props} field={field} ties={ties} />;
          const onInput = (event: { readonly currentTarget: { readonly value: string } }): void =>
            onChange(event.currentTarget.value);
          if (field.kind === "number")
            return (
              <input
                {...ties}
                value={asText(draft)}
                inputMode="decimal"
                autocomplete="off"
                onInput={onInput}
              />
            );
          return (
            <textarea
              {...ties}
              rows={3}
              value={asText(draft)}
              placeholder="JSON"
              spellcheck={false}
              onInput={onInput}
            />
          );
        }}
      </Labelled>
      {canBeEmpty && (problem !== undefined || isEmpty) ? (
        <label class="tick">
          <input
            type="checkbox"
            checked={isEmpty}
            onChange={(event) => onChange(event.currentTarget.checked ? { isEmptyText: true } : "")}
          />
          Send an empty text
        </label>
      ) : null}
    </>
  );
}

function List({ field, draft, path, problems, onChange, label }: FieldProps<ListField>) {
  const items = Array.isArray(draft) ? (draft as readonly Draft[]) : [];
  const problem = problemAt(path, problems);
  const hint = hintOf(field);
  return (
    <fieldset class="group">
      <legend>
        {label ?? field.title ?? field.name}
        {field.isRequired ? <span class="quiet"> (required)</span> : null}
      </legend>
      {hint === undefined ? null : <p class="hint">{hint}</p>}
      {items.map((item, at) => (
        <div key={at} class="list-item">
          <div class="stack">
            <FormField
              field={field.item}
              draft={item}
              path={`${path}/${at}`}
              problems={problems}
              label={`${field.name} ${at + 1}`}
              onChange={(next) => onChange(items.with(at, next))}
            />
          </div>
          <button
            type="button"
            class="small"
            aria-label={`Remove ${field.name} ${at + 1}`}
            onClick={() => onChange(items.toSpliced(at, 1))}
          >
            Remove
          </button>
        </div>
      ))}
      <p>
        <button
          type="button"
          class="small"
          disabled={items.length >= field.maxItems}
          onClick={() => onChange([...items, undefined])}
        >
          Add an item
        </button>
      </p>
      {problem === undefined ? null : <p class="field-problem">{problem}</p>}
    </fieldset>
  );
}

function FormField(props: FieldProps<Field>) {
  const { field, label } = props;
  if (field.kind === "list") return <List {...props} field={field} />;
  if (field.kind !== "group") return <Scalar {...props} field={field} />;
  return (
    <fieldset class="group">
      <legend>
        {label ?? field.title ?? field.name}
        {field.isRequired ? <span class="quiet"> (required)</span> : null}
      </legend>
      {field.description === undefined ? null : <p class="hint">{field.description}</p>}
      <FormFields {...props} fields={field.fields} prefix={`${props.path}/`} />
    </fieldset>
  );
}

/** The fields of a form, or of a group in it. */
export function FormFields({
  fields,
  draft,
  prefix,
  problems,
  onChange,
}: {
  readonly fields: readonly Field[];
  readonly draft: Draft;
  /** What is written before the names in the paths of problems. */
  readonly prefix: string;
  readonly problems: readonly FormProblem[];
  readonly onChange: (draft: Draft) => void;
}) {
  const drafts: { readonly [name: string]: Draft } =
    typeof draft === "object" && !Array.isArray(draft) && !isEmptyText(draft)
      ? (draft as { readonly [name: string]: Draft })
      : {};
  return (
    <>
      {fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          draft={Object.hasOwn(drafts, field.name) ? drafts[field.name] : undefined}
          path={`${prefix}${field.name}`}
          problems={problems}
          onChange={(next) =>
            onChange(Object.fromEntries([...Object.entries(drafts), [field.name, next] as const]))
          }
        />
      ))}
    </>
  );
}
