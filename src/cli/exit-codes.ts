/** What a command's end means to a script; pinned by a test and by docs/cli.md. */
export const exitCodes = { fine: 0, violated: 1, usage: 2, unreachable: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeMeanings: Readonly<Record<ExitCode, string>> = {
  0: "fine",
  1: "contract violated, or the operation failed",
  2: "wrong usage, configuration or input file",
  3: "upstream unreachable",
};
