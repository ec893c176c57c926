import { useId } from "preact/hooks";

/** A choice of a few, all of them seen: radio buttons that look like one control. */
export function Segments<Value extends string>({
  label,
  values,
  value,
  onChoose,
  nameOf = (one) => one,
}: {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onChoose: (value: Value) => void;
  readonly nameOf?: (value: Value) => string;
}) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="unseen">{label}</legend>
      {values.map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChoose(one)} />
          <span>{nameOf(one)}</span>
        </label>
      ))}
    </fieldset>
  );
}
