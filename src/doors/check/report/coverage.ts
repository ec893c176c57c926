// How many of a server's tools a check called, and why it did not call the others. Coverage comes first in every
// report: a score means nothing without it.

import type { CheckReport, ToolOutcome } from "./check-report.ts";

/** Tools that were not called for the same reason. */
export interface NotCalled {
  /** Worded to fit one tool or many. */
  readonly because: string;
  /** The option that would call them: on the command line, and in code. Undefined if there is none. */
  readonly remedy?: { readonly flag: string; readonly option: string } | undefined;
  readonly tools: readonly string[];
}

export interface Coverage {
  /** One or more sentences, with the flags of the command line: the first line of every report. */
  readonly says: string;
  /** How many tools the server lists, and how many of them were called at least once. */
  readonly tools: number;
  readonly called: number;
  /** False if the server could not be reached. */
  readonly isReachable: boolean;
  /** True if only definitions were requested: no tool was meant to be called. */
  readonly definitionsOnly: boolean;
  readonly notCalled: readonly NotCalled[];
}

const ENDED_BEFORE = "the check ended before";

/** Why a tool may be left out, and which option would call it. */
export const reasons = {
  notReadOnly: {
    because: "not marked read-only (annotations.readOnlyHint)",
    remedy: {
      flag: "--all calls such tools (only where nothing can be lost), --args <file> those that it names",
      option: "`all: true` calls such tools (only where nothing can be lost), `args` those that it names",
    },
  },
  notChosen: {
    because: "not among the tools that were asked for",
    remedy: { flag: "name them with --tool", option: "name them in `only`" },
  },
  onlyTask: { because: "callable only as a task" },
  tooMany: {
    because: "more tools than a check calls",
    remedy: { flag: "name them with --tool", option: "raise `limits.tools`" },
  },
  definitionsOnly: {
    because: "only definitions were asked for",
    remedy: { flag: "leave out --definitions-only", option: "leave out `definitionsOnly`" },
  },
} as const satisfies Readonly<Record<string, Omit<NotCalled, "tools">>>;

/** A reason that belongs to the arguments of one tool. */
export function lacksArguments(because: string): Omit<NotCalled, "tools"> {
  return {
    because,
    remedy: { flag: "--args <file> gives them arguments", option: "`args` gives them arguments" },
  };
}

function groupsOf(tools: readonly ToolOutcome[]): readonly NotCalled[] {
  const groups = new Map<string, NotCalled>();
  for (const { name, calls, notProbed, remedy } of tools) {
    if (calls > 0) continue;
    const because = notProbed ?? ENDED_BEFORE;
    const before = groups.get(because);
    groups.set(because, {
      because,
      remedy: before?.remedy ?? remedy,
      tools: [...(before?.tools ?? []), name],
    });
  }
  return [...groups.values()].sort((one, other) => other.tools.length - one.tools.length);
}

/** The sentence, with the flags of the command line or the options in code. */
export function sayCoverage(
  { tools, called, isReachable, definitionsOnly, notCalled }: Omit<Coverage, "says">,
  words: "flag" | "option" = "flag",
): string {
  const amount = `${called} of ${tools} ${tools === 1 ? "tool" : "tools"} called`;
  if (!isReachable) return `${amount}: nothing was tested, since the server could not be reached.`;
  if (definitionsOnly) return `${amount}: only definitions were asked for.`;
  if (tools === 0) return `${amount}: nothing was tested, since the server lists none.`;
  const rest = notCalled.map(({ because, remedy, tools: names }) => {
    const how = remedy === undefined ? "" : `: ${remedy[words]}`;
    return `${names.length} not called, ${because}${how}.`;
  });
  return [called === 0 ? `${amount}: nothing was tested.` : `${amount}.`, ...rest].join(" ");
}

/** What a check covered of the tools that a server lists. */
export function coverageOf(
  tools: readonly ToolOutcome[],
  { isReachable, definitionsOnly }: Pick<Coverage, "isReachable" | "definitionsOnly">,
): Coverage {
  const facts = {
    isReachable,
    tools: tools.length,
    called: tools.filter(({ calls }) => calls > 0).length,
    definitionsOnly,
    notCalled: groupsOf(tools),
  };
  return { says: sayCoverage(facts), ...facts };
}

/** Whether a check says nothing about the answers of a server, although it was meant to. */
export function isUntested({ coverage }: Pick<CheckReport, "coverage">): boolean {
  return coverage.called === 0 && !coverage.definitionsOnly;
}
