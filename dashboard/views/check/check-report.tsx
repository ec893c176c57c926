import { useState } from "preact/hooks";
import type { CheckFindingView, CheckSummary } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { formatCount, formatMany, formatMs } from "../../text/figures.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Segments } from "../../ui/segments.tsx";

const severities = ["all", "error", "warning", "info"] as const;
type Severity = (typeof severities)[number];

const tones: Readonly<Record<CheckFindingView["severity"], Tone>> = {
  error: "bad",
  warning: "warn",
  info: "quiet",
};
const counted = [
  ["error", "error", "errors", "bad"],
  ["warning", "warning", "warnings", "warn"],
  ["info", "note", "notes", "quiet"],
  ["passed", "rule kept", "rules kept", "good"],
  ["untested", "could not be tested", "could not be tested", "quiet"],
] as const;

/** How many findings are drawn at first. */
const FINDINGS_AT_ONCE = 50;

function Findings({ findings }: { readonly findings: readonly CheckFindingView[] }) {
  const [severity, setSeverity] = useState<Severity>("all");
  const [shown, setShown] = useState(FINDINGS_AT_ONCE);
  const chosen = findings.filter((one) => severity === "all" || one.severity === severity);
  if (findings.length === 0) return <p>Nothing was found.</p>;
  return (
    <div class="stack">
      <p>
        <Segments label="Which findings" values={severities} value={severity} onChoose={setSeverity} />
      </p>
      <ul class="findings">
        {chosen.slice(0, shown).map((finding, at) => (
          <li key={at}>
            <p class="badges">
              <Badge tone={tones[finding.severity]}>{finding.severity}</Badge>
              <code>{finding.rule}</code>
              {finding.tool === undefined ? null : <Badge>{finding.tool}</Badge>}
            </p>
            <p>{finding.message}</p>
            {finding.fix === "" ? null : <p class="quiet">{finding.fix}</p>}
          </li>
        ))}
      </ul>
      {chosen.length === 0 ? <p class="quiet">None of this kind.</p> : null}
      {chosen.length > shown ? (
        <button type="button" onClick={() => setShown(shown + FINDINGS_AT_ONCE)}>
          Show more of {formatMany(chosen.length - shown, "finding")}
        </button>
      ) : null}
    </div>
  );
}

function Score({ value }: { readonly value: number | null }) {
  if (value === null)
    return (
      <p class="score">
        <strong>–</strong>
        <span class="quiet"> no score</span>
      </p>
    );
  return (
    <p class="score">
      <strong>{formatCount(value)}</strong>
      <span class="quiet"> of 100</span>
      <meter min={0} max={100} low={50} high={80} optimum={100} value={value} aria-label="Score" />
    </p>
  );
}

/** What a check found. */
export function CheckReport({ report }: { readonly report: CheckSummary }) {
  return (
    <div class="stack">
      {report.coverage === undefined ? null : <p>{report.coverage}</p>}
      <div class="score-frame">
        <Score value={report.score} />
        <div class="stack">
          <p class="badges">
            {counted.map(([key, one, many, tone]) => (
              <Badge key={key} tone={report.counts[key] === 0 ? "quiet" : tone}>
                {formatMany(report.counts[key], one, many)}
              </Badge>
            ))}
          </p>
          <p class="quiet">
            {formatMany(report.calls, "call")} in {formatMs(report.durationMs)}.
          </p>
          {report.reasons.length === 0 ? null : (
            <ul class="bullets">
              {report.reasons.map(({ text, points }) => (
                <li key={text}>
                  {text} <span class="quiet">{`−${points} ${points === 1 ? "point" : "points"}`}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
      <Findings findings={report.findings} />
    </div>
  );
}
