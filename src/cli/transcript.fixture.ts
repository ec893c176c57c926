import { runInProcess } from "./run-in-process.fixture.ts";

export interface Exchange {
  readonly command: string;
  readonly output: string;
}

/** The commands and outputs of a page's `console` blocks, in their order. */
export function readTranscript(markdown: string): Exchange[] {
  const blocks = [...markdown.matchAll(/^```console\n([^]*?)^```$/gm)].map(([, block = ""]) => block);
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = "", ...lines] = part.trimEnd().split("\n");
        return { command, output: lines.join("\n") };
      }),
  );
}

/** Runs `echo '…' | NAME=value waybill … | waybill …; echo $?` without a shell; both streams, stdout first. */
export async function runLine(line: string, cwd: string): Promise<string> {
  const [pipeline = "", ...echo] = line.split("; ");
  let stdin: string | undefined;
  let printed = "";
  let exitCode = 0;
  for (const part of pipeline.split(" | ")) {
    const words = [...part.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
    const variables = words.splice(
      0,
      words.findIndex((word) => !/^[A-Z_]+=/.test(word)),
    );
    const env = Object.fromEntries(variables.map((word) => word.split("=")));
    const [program, ...args] = words;
    if (program === "echo") {
      stdin = `${args.join(" ")}\n`;
      continue;
    }
    const ran = await runInProcess(args, { cwd, env, ...(stdin === undefined ? {} : { stdin }) });
    stdin = ran.stdout;
    printed = ran.stdout + ran.stderr;
    exitCode = ran.exitCode;
  }
  return echo.length > 0 ? `${printed}${exitCode}\n` : printed;
}

/** Whether an output is as shown: `…` alone on a line means any lines, widths and fresh ids do not count. */
export function isAsShown(shown: string, printed: string): boolean {
  const groups = toLines(shown)
    .join("\n")
    .split(/^…$/m)
    .map((group) => group.trim());
  const whole = toLines(printed).join("\n").trim();
  if (groups.length === 1) return whole === groups[0];
  let from = 0;
  for (const group of groups) {
    const at = whole.indexOf(group, from);
    if (at === -1) return false;
    from = at + group.length;
  }
  return whole.startsWith(groups[0] ?? "") && whole.endsWith(groups.at(-1) ?? "");
}

function toLines(text: string): string[] {
  return text.split("\n").map((line) =>
    line
      .replaceAll(/ +/g, " ")
      .replaceAll(/(cli|req)_[0-9a-f]{12}/g, "$1_000000000000")
      .trimEnd(),
  );
}
