import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** What is wrong with what was typed. */
  readonly problem?: string | undefined;
  readonly isRequired?: boolean | undefined;
  /** Draws the input with these: they tie it to its label, hint and problem. */
  readonly children: (ties: FieldTies) => ComponentChildren;
}

interface FieldTies {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": "true" | undefined;
}

/** A labelled input. */
export function Field({ label, hint, problem, isRequired = false, children }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(
    (one) => one !== false,
  );
  const ties: FieldTies = {
    id,
    "aria-describedby": described.length === 0 ? undefined : described.join(" "),
    "aria-invalid": problem === undefined ? undefined : "true",
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isRequired ? <span class="quiet"> (required)</span> : null}
      </label>
      {children(ties)}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem === undefined ? null : (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
