import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { quantile, showSpread, spreadOf } from "../compare-sides.ts";
import { printTable } from "../report.ts";

const COUNT_BY = "count_by(@, &status)";
const GOALS = { timesParse: 2.6, timesRss: 6 };
const ROUNDS = 9;

/** The store, the archive in it that is asked, and a file with the same JSON text. */
export interface LargeArchive {
  readonly archives: string;
  readonly archive: string;
  readonly textFile: string;
}

interface Turn {
  readonly wallMs: number;
  readonly cpuMs: number;
}
interface Times {
  readonly bytes: number;
  readonly first: Turn;
  readonly turns: readonly { readonly parse: Turn; readonly ask: Turn }[];
}
interface Peak {
  readonly baseMb: number;
  readonly peakMb: number;
}

const number = (value: number): string => Math.round(value).toLocaleString("en");

/** Each measurement has a process of its own: a peak of memory is never forgotten. */
function runLarge(what: "time" | "memory" | "parse", { archives, archive, textFile }: LargeArchive): unknown {
  const script = fileURLToPath(new URL("ask-large.ts", import.meta.url));
  const args = [what, archives, textFile, archive, COUNT_BY, String(ROUNDS)];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", "--import", "tsx", script, ...args],
    { encoding: "utf8", cwd: fileURLToPath(new URL("../../..", import.meta.url)) },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Asks one question of a large archive, beside JSON.parse of its text; prints the table and gives the figures. */
export function measureLarge(large: LargeArchive) {
  const times = runLarge("time", large) as Times;
  const memory = runLarge("memory", large) as Peak;
  const parse = runLarge("parse", large) as Peak;
  const megabytes = times.bytes / 1024 / 1024;
  const perMb = ({ baseMb, peakMb }: Peak): number => (peakMb - baseMb) / megabytes;
  const wall = spreadOf(times.turns.map((turn) => turn.ask.wallMs / turn.parse.wallMs));
  const cpu = spreadOf(times.turns.map((turn) => turn.ask.cpuMs / turn.parse.cpuMs));
  const median = (take: (turn: Times["turns"][number]) => number): string =>
    number(quantile(times.turns.map(take), 0.5));
  console.log(
    `\n${COUNT_BY} over an archive of ${number(times.bytes)} bytes, from read and hash to answer\n`,
  );
  printTable(
    [
      "work",
      "wall, ms",
      "times JSON.parse",
      "CPU, ms",
      "times JSON.parse",
      "peak RSS over its start / bytes",
    ],
    [
      [
        "JSON.parse",
        median(({ parse: one }) => one.wallMs),
        "1",
        median(({ parse: one }) => one.cpuMs),
        "1",
        perMb(parse).toFixed(1),
      ],
      [
        "the question",
        median(({ ask }) => ask.wallMs),
        showSpread(wall),
        median(({ ask }) => ask.cpuMs),
        showSpread(cpu),
        perMb(memory).toFixed(1),
      ],
      ["the first question of a process", number(times.first.wallMs), "", number(times.first.cpuMs), "", ""],
      ["goal", "", `${GOALS.timesParse}`, "", "", `${GOALS.timesRss}`],
    ],
  );
  return {
    bytes: times.bytes,
    wall,
    cpu,
    first: times.first,
    timesRss: perMb(memory),
    timesRssOfParse: perMb(parse),
    memory,
  };
}
