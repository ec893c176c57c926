import type { StageView } from "../../../src/doors/gateway/dashboard/protocol/result.ts";
import { formatCount } from "../../text/figures.ts";

/** What each stage is for, as in the manual. */
const purposes: Readonly<Record<string, string>> = {
  outcome: "Say what happened",
  shape: "Keep what was asked for",
  fit: "Keep what can be afforded",
  archive: "Lose nothing",
  dialect: "Say it in the agreed words",
  deliver: "Hand it over",
};

/** The stages in their order, each with what it did and how much it handed on. */
export function Stages({ stages }: { readonly stages: readonly StageView[] }) {
  const most = Math.max(1, ...stages.map(({ tokens }) => tokens ?? 0));
  return (
    <ol class="stages">
      {stages.map(({ stage, says, tokens, isEstimated }) => (
        <li key={stage}>
          <h3>{stage}</h3>
          <p class="quiet">{purposes[stage]}</p>
          <p class="says">{says}</p>
          {tokens === undefined ? (
            <p class="quiet">Tokens not counted</p>
          ) : (
            <p class="tokens">
              {isEstimated === true ? "≈ " : ""}
              <strong>{formatCount(tokens)}</strong> tokens
              <meter min={0} max={most} value={tokens} aria-hidden="true" />
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}
