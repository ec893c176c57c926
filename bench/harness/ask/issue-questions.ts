import { type Question, largest, largestOf, ordered, tally, total } from "./ask-question.ts";

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly comments: number;
  readonly created_at: string;
  readonly closed_at: string | null;
  readonly author_association: string;
  readonly body: string | null;
  readonly pull_request?: unknown;
  readonly user: { readonly login: string };
  readonly labels: readonly { readonly name: string; readonly color: string }[];
}

const numbersOf = (issues: readonly Issue[]): readonly number[] => issues.map(({ number }) => number);
const withNumber = (issues: readonly Issue[], wanted: number): Issue | undefined =>
  issues.find(({ number }) => number === wanted);

/** Questions to a list of issues and pull requests. */
export const issueQuestions: readonly Question<readonly Issue[]>[] = [
  { kind: "count", select: "length(@)", answer: (issues) => issues.length },
  {
    kind: "count",
    select: "length([?state == 'open'])",
    answer: (issues) => issues.filter(({ state }) => state === "open").length,
  },
  {
    kind: "count",
    select: "length([?pull_request])",
    answer: (issues) => issues.filter((issue) => issue.pull_request !== undefined).length,
  },
  {
    kind: "count",
    select: "length([?!pull_request && comments > `0`])",
    answer: (issues) =>
      issues.filter((issue) => issue.pull_request === undefined && issue.comments > 0).length,
  },
  {
    kind: "filter",
    select: "[?comments > `0`].number",
    answer: (issues) => numbersOf(issues.filter(({ comments }) => comments > 0)),
  },
  {
    kind: "filter",
    select: "[?labels[?name == 'enhancement']].title",
    answer: (issues) =>
      issues
        .filter(({ labels }) => labels.some(({ name }) => name === "enhancement"))
        .map(({ title }) => title),
  },
  {
    kind: "filter",
    select: "[?after(created_at, '2026-07-15T00:00:00Z')].number",
    answer: (issues) =>
      numbersOf(issues.filter(({ created_at: at }) => Date.parse(at) > Date.UTC(2026, 6, 15))),
  },
  {
    kind: "filter",
    select: "[?!pull_request].{number: number, title: title}",
    answer: (issues) =>
      issues
        .filter((issue) => issue.pull_request === undefined)
        .map(({ number, title }) => ({ number, title })),
  },
  {
    kind: "filter",
    select: "[?after(created_at, '2026-07-10') && before(created_at, '2026-07-13')].number",
    answer: (issues) =>
      numbersOf(
        issues.filter(
          ({ created_at: at }) =>
            Date.parse(at) > Date.UTC(2026, 6, 10) && Date.parse(at) < Date.UTC(2026, 6, 13),
        ),
      ),
  },
  {
    kind: "group",
    select: "count_by(@, &state)",
    answer: (issues) => tally(issues, ({ state }) => state),
  },
  {
    kind: "group",
    select: "count_by(@, &author_association)",
    answer: (issues) => tally(issues, (issue) => issue.author_association),
  },
  {
    kind: "group",
    select: "count_by(@, &created_at[0:10])",
    answer: (issues) => tally(issues, (issue) => issue.created_at.slice(0, 10)),
  },
  {
    kind: "group",
    select: "sum_by(@, &state, &comments)",
    answer: (issues) =>
      total(
        issues,
        ({ state }) => state,
        ({ comments }) => comments,
      ),
  },
  {
    kind: "top",
    select: "top_by(@, &comments, `3`)[].{number: number, comments: comments}",
    answer: (issues) =>
      largestOf(issues, ({ comments }) => comments, 3).map(({ number, comments }) => ({ number, comments })),
  },
  {
    kind: "top",
    select: "reverse(sort_by(@, &created_at))[:5].number",
    answer: (issues) =>
      numbersOf(
        ordered(issues, (issue) => issue.created_at)
          .toReversed()
          .slice(0, 5),
      ),
  },
  {
    kind: "top",
    select: "max_by(@, &length(title)).title",
    answer: (issues) => largest(issues, ({ title }) => Array.from(title).length)?.title,
  },
  {
    kind: "top",
    select: "min_by(@, &created_at).number",
    answer: (issues) => ordered(issues, (issue) => issue.created_at)[0]?.number,
  },
  {
    kind: "lookup",
    select: "[?number == `85`].title | [0]",
    answer: (issues) => withNumber(issues, 85)?.title,
  },
  {
    kind: "lookup",
    select: "[?number == `64`] | [0].user.login",
    answer: (issues) => withNumber(issues, 64)?.user.login,
  },
  {
    kind: "lookup",
    select: "[?number == `64`].labels[].color",
    answer: (issues) => withNumber(issues, 64)?.labels.map(({ color }) => color),
  },
  {
    kind: "lookup",
    select: "[?number == `71`] | [0].closed_at",
    answer: (issues) => withNumber(issues, 71)?.closed_at,
  },
  {
    kind: "text",
    select: "[?contains(lower(title), 'policy')].number",
    answer: (issues) => numbersOf(issues.filter(({ title }) => title.toLowerCase().includes("policy"))),
  },
  {
    kind: "text",
    select: "[?body && contains(body, 'TOON')].number",
    answer: (issues) => numbersOf(issues.filter(({ body }) => body?.includes("TOON") === true)),
  },
  {
    kind: "text",
    select: "[?matches(title, '^#[0-9]+')].number",
    answer: (issues) => numbersOf(issues.filter(({ title }) => /^#[0-9]+/.test(title))),
  },
];
