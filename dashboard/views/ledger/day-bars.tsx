import { formatCount, formatShort } from "../../text/figures.ts";
import type { DaySum } from "./ledger-sums.ts";

const HEIGHT = 160;
const STEP = 20;
const BAR = 13;

/** What was delivered of a day, and above it what was saved. */
export function DayBars({ days }: { readonly days: readonly DaySum[] }) {
  const most = Math.max(1, ...days.map(({ tokensIn, tokensOut }) => Math.max(tokensIn, tokensOut)));
  const high = (tokens: number): number => (tokens / most) * (HEIGHT - 1);
  const width = days.length * STEP;
  const first = days[0]?.day ?? "";
  const last = days.at(-1)?.day ?? "";
  return (
    <figure class="day-bars">
      <ul class="legend">
        <li>
          <span class="key delivered" aria-hidden="true" />
          Delivered
        </li>
        <li>
          <span class="key spared" aria-hidden="true" />
          Saved
        </li>
        <li class="quiet">{`at most ${formatShort(most)} on a day`}</li>
      </ul>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Tokens of each day from ${first} to ${last}; the table below has the figures.`}
      >
        <path class="ground" d={`M0 ${HEIGHT - 0.5}H${width}`} />
        {days.map((row, at) => {
          const { day, calls, tokensIn, tokensOut } = row;
          const out = high(tokensOut);
          const spared = Math.max(0, high(tokensIn) - out);
          const x = at * STEP + (STEP - BAR) / 2;
          return (
            <g key={day}>
              <title>{`${day}: ${formatCount(tokensIn)} sent, ${formatCount(tokensOut)} delivered, ${formatCount(calls)} calls`}</title>
              <rect class="room" x={at * STEP} width={STEP} height={HEIGHT} />
              <rect class="spared" x={x} y={HEIGHT - out - spared} width={BAR} height={spared} />
              <rect class="delivered" x={x} y={HEIGHT - out} width={BAR} height={out} />
            </g>
          );
        })}
      </svg>
      <figcaption>
        <span>{first}</span>
        <span>{last}</span>
      </figcaption>
    </figure>
  );
}
