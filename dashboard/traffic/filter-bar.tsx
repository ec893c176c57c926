import { replace } from "../app/location.ts";
import { linkTo } from "../app/route.ts";
import { type CallFilter, fidelities, isEmptyFilter, outcomes } from "./call-filter.ts";

const outcomeNames: Readonly<Record<string, string>> = {
  ok: "Succeeded",
  failed: "Failed",
  abandoned: "Abandoned",
  repaired: "Named by Waybill",
  warned: "With warnings",
};

const texts = [
  ["tool", "Tool", "Tool or server"],
  ["code", "Error code or type", "Error code"],
  ["caller", "Caller", "Caller"],
  ["request", "Request id", "Request id"],
] as const;

/** What selects calls; it is in the address. */
export function FilterBar({ filter }: { readonly filter: CallFilter }) {
  const change = (changed: Partial<CallFilter>): void =>
    replace(linkTo("traffic", { ...filter, ...changed }));
  const text = ([key, label, placeholder]: (typeof texts)[number]) => (
    <input
      key={key}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={filter[key]}
      spellcheck={false}
      autocomplete="off"
      maxLength={200}
      onInput={(event) => change({ [key]: event.currentTarget.value })}
    />
  );
  return (
    <search class="filters" aria-label="Filter calls">
      {text(texts[0])}
      <select
        aria-label="Outcome"
        value={filter.outcome}
        onChange={(event) => change({ outcome: event.currentTarget.value })}
      >
        <option value="">Any outcome</option>
        {outcomes.map((one) => (
          <option key={one} value={one}>
            {outcomeNames[one]}
          </option>
        ))}
      </select>
      <select
        aria-label="Fidelity"
        value={filter.fidelity}
        onChange={(event) => change({ fidelity: event.currentTarget.value })}
      >
        <option value="">Any fidelity</option>
        {fidelities.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      {text(texts[1])}
      {text(texts[2])}
      {text(texts[3])}
      <button type="button" disabled={isEmptyFilter(filter)} onClick={() => replace(linkTo("traffic"))}>
        Clear
      </button>
    </search>
  );
}
