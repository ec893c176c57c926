import type { JsonObject } from "../../src/core/json/json-value.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import type { Field } from "./field.ts";
import { readSchema } from "./read-schema.ts";

function kindOf(field: Field): string {
  switch (field.kind) {
    case "choice": {
      const isBoolean =
        field.choices.length === 2 && field.choices.every((choice) => typeof choice === "boolean");
      return isBoolean
        ? "true or false"
        : `one of ${field.choices.map((choice) => JSON.stringify(choice)).join(", ")}`;
    }
    case "list":
      return `list of ${kindOf(field.item)}`;
    case "group":
      return "object";
    case "json":
      return "any JSON";
    case "text":
    case "number":
    default:
      return field.kind;
  }
}

function innerOf(field: Field): readonly Field[] {
  if (field.kind === "group") return field.fields;
  return field.kind === "list" ? innerOf(field.item) : [];
}

function Outline({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ul class="outline">
      {fields.map((field) => {
        const inner = innerOf(field);
        return (
          <li key={field.name}>
            <p>
              <code>{field.name}</code>{" "}
              <span class="quiet">{[kindOf(field), ...field.rules].join(", ")}</span>
              {field.isRequired ? <strong> required</strong> : null}
            </p>
            {field.description === undefined ? null : <p>{field.description}</p>}
            {inner.length === 0 ? null : <Outline fields={inner} />}
          </li>
        );
      })}
    </ul>
  );
}

/** A schema for people first, and as it is. */
export function SchemaOutline({
  schema,
  label,
  none,
}: {
  readonly schema: JsonObject;
  readonly label: string;
  /** Shown if the schema has no fields. */
  readonly none: string;
}) {
  const fields = readSchema(schema);
  return (
    <div class="stack">
      {fields === undefined || fields.length === 0 ? (
        <p class="quiet">{fields === undefined ? "Only the schema itself can say it." : none}</p>
      ) : (
        <Outline fields={fields} />
      )}
      <details>
        <summary>JSON Schema</summary>
        <CodeBlock label={label} text={JSON.stringify(schema, null, 2)} />
      </details>
    </div>
  );
}
