import { type Question, largest, largestOf, ordered, tally } from "./ask-question.ts";

interface Commit {
  readonly sha: string;
  readonly commit: {
    readonly author: { readonly date: string };
    readonly committer: { readonly name: string };
    readonly message: string;
    readonly tree: { readonly sha: string };
    readonly verification: { readonly verified: boolean; readonly reason: string };
  };
  readonly parents: readonly { readonly sha: string }[];
}

const shasOf = (commits: readonly Commit[]): readonly string[] => commits.map(({ sha }) => sha);
const dateOf = ({ commit }: Commit): string => commit.author.date;
const lengthOf = ({ commit }: Commit): number => Array.from(commit.message).length;
const startingWith = (commits: readonly Commit[], start: string): Commit | undefined =>
  commits.find(({ sha }) => sha.startsWith(start));

/** Questions to a list of commits. */
export const commitQuestions: readonly Question<readonly Commit[]>[] = [
  { kind: "count", select: "length(@)", answer: (commits) => commits.length },
  {
    kind: "count",
    select: "length([?commit.verification.verified])",
    answer: (commits) => commits.filter(({ commit }) => commit.verification.verified).length,
  },
  {
    kind: "count",
    select: "length([?length(parents) > `1`])",
    answer: (commits) => commits.filter(({ parents }) => parents.length > 1).length,
  },
  {
    kind: "count",
    select: "sum([].length(parents))",
    answer: (commits) => commits.reduce((sum, { parents }) => sum + parents.length, 0),
  },
  {
    kind: "filter",
    select: "[?starts_with(commit.author.date, '2026-07-03')].sha",
    answer: (commits) => shasOf(commits.filter((one) => dateOf(one).startsWith("2026-07-03"))),
  },
  {
    kind: "filter",
    select: "[?starts_with(commit.message, 'feat')].split(commit.message, `\"\\n\"`)[0]",
    answer: (commits) =>
      commits
        .filter(({ commit }) => commit.message.startsWith("feat"))
        .map(({ commit }) => commit.message.split("\n")[0]),
  },
  {
    kind: "filter",
    select: "[?before(commit.author.date, '2026-07-02T13:00:00Z')].sha",
    answer: (commits) => shasOf(commits.filter((one) => Date.parse(dateOf(one)) < Date.UTC(2026, 6, 2, 13))),
  },
  {
    kind: "group",
    select: "count_by(@, &commit.author.date[0:10])",
    answer: (commits) => tally(commits, (one) => dateOf(one).slice(0, 10)),
  },
  {
    kind: "group",
    select: "count_by(@, &commit.committer.name)",
    answer: (commits) => tally(commits, ({ commit }) => commit.committer.name),
  },
  {
    kind: "group",
    select: "count_by(@, &commit.verification.reason)",
    answer: (commits) => tally(commits, ({ commit }) => commit.verification.reason),
  },
  {
    kind: "group",
    select: "count_by(@, &split(commit.message, ':')[0])",
    answer: (commits) => tally(commits, ({ commit }) => commit.message.split(":")[0] ?? ""),
  },
  {
    kind: "top",
    select: "max_by(@, &length(commit.message)).sha",
    answer: (commits) => largest(commits, lengthOf)?.sha,
  },
  {
    kind: "top",
    select: "top_by(@, &length(commit.message), `3`)[].{sha: sha, length: length(commit.message)}",
    answer: (commits) =>
      largestOf(commits, lengthOf, 3).map((one) => ({ sha: one.sha, length: lengthOf(one) })),
  },
  {
    kind: "top",
    select: "max([].commit.author.date)",
    answer: (commits) => ordered(commits, dateOf).map(dateOf).at(-1),
  },
  {
    kind: "top",
    select: "min_by(@, &commit.author.date).sha",
    answer: (commits) => ordered(commits, dateOf)[0]?.sha,
  },
  {
    kind: "top",
    select: "reverse(sort_by(@, &commit.author.date))[:5].sha",
    answer: (commits) => shasOf(ordered(commits, dateOf).toReversed().slice(0, 5)),
  },
  {
    kind: "lookup",
    select: "[?starts_with(sha, '217233f')] | [0].commit.author.date",
    answer: (commits) => startingWith(commits, "217233f")?.commit.author.date,
  },
  {
    kind: "lookup",
    select: "[?starts_with(sha, '687ad82')].commit.tree.sha | [0]",
    answer: (commits) => startingWith(commits, "687ad82")?.commit.tree.sha,
  },
  {
    kind: "lookup",
    select: "[?starts_with(sha, 'c5b579f')].parents[].sha",
    answer: (commits) => startingWith(commits, "c5b579f")?.parents.map(({ sha }) => sha),
  },
  {
    kind: "text",
    select: "[?contains(commit.message, 'red-team')].sha",
    answer: (commits) => shasOf(commits.filter(({ commit }) => commit.message.includes("red-team"))),
  },
  {
    kind: "text",
    select: "length([?matches(commit.message, '#[0-9]+')])",
    answer: (commits) => commits.filter(({ commit }) => /#[0-9]+/.test(commit.message)).length,
  },
  {
    kind: "text",
    select: "[?contains(lower(commit.message), 'toon')].sha",
    answer: (commits) =>
      shasOf(commits.filter(({ commit }) => commit.message.toLowerCase().includes("toon"))),
  },
];
