import { type Question, largest, largestOf, ordered, tally, total } from "./ask-question.ts";

interface File {
  readonly name: string;
  readonly sha: string;
  readonly size: number;
  readonly type: string;
}

const namesOf = (list: readonly { readonly name: string }[]): readonly string[] =>
  list.map(({ name }) => name);

/** Questions to the listing of a folder. */
export const fileQuestions: readonly Question<readonly File[]>[] = [
  {
    kind: "count",
    select: "length([?type == 'file'])",
    answer: (files) => files.filter(({ type }) => type === "file").length,
  },
  {
    kind: "count",
    select: "sum([].size)",
    answer: (files) => files.reduce((sum, { size }) => sum + size, 0),
  },
  {
    kind: "count",
    select: "avg([?type == 'file'].size)",
    answer: (files) => {
      const sizes = files.filter(({ type }) => type === "file").map(({ size }) => size);
      return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    },
  },
  {
    kind: "filter",
    select: "[?size > `20000`].name",
    answer: (files) => namesOf(files.filter(({ size }) => size > 20_000)),
  },
  {
    kind: "filter",
    select: "[?type != 'file'].name",
    answer: (files) => namesOf(files.filter(({ type }) => type !== "file")),
  },
  { kind: "group", select: "count_by(@, &type)", answer: (files) => tally(files, ({ type }) => type) },
  {
    kind: "group",
    select: "sum_by(@, &type, &size)",
    answer: (files) =>
      total(
        files,
        ({ type }) => type,
        ({ size }) => size,
      ),
  },
  {
    kind: "top",
    select: "top_by(@, &size, `3`)[].{name: name, size: size}",
    answer: (files) => largestOf(files, ({ size }) => size, 3).map(({ name, size }) => ({ name, size })),
  },
  {
    kind: "top",
    select: "min_by([?type == 'file'], &size).name",
    answer: (files) =>
      largest(
        files.filter(({ type }) => type === "file"),
        ({ size }) => -size,
      )?.name,
  },
  {
    kind: "lookup",
    select: "[?name == 'proxy.py'].size | [0]",
    answer: (files) => files.find(({ name }) => name === "proxy.py")?.size,
  },
  {
    kind: "lookup",
    select: "[?name == 'cli.py'] | [0].sha",
    answer: (files) => files.find(({ name }) => name === "cli.py")?.sha,
  },
  {
    kind: "text",
    select: "[?contains(name, 'report')].name",
    answer: (files) => namesOf(files.filter(({ name }) => name.includes("report"))),
  },
  {
    kind: "text",
    select: "[?matches(name, '^_+[a-z]')].name",
    answer: (files) => namesOf(files.filter(({ name }) => /^_+[a-z]/.test(name))),
  },
  {
    kind: "text",
    select: "length([?ends_with(name, '.py')])",
    answer: (files) => files.filter(({ name }) => name.endsWith(".py")).length,
  },
];

interface Label {
  readonly name: string;
  readonly color: string;
  readonly default: boolean;
  readonly description: string;
}

/** Questions to a short list of labels. */
export const labelQuestions: readonly Question<readonly Label[]>[] = [
  {
    kind: "count",
    select: "length([?default])",
    answer: (labels) => labels.filter((label) => label.default).length,
  },
  { kind: "filter", select: "sort([].name)", answer: (labels) => ordered(namesOf(labels), (name) => name) },
  {
    kind: "filter",
    select: "[?length(name) > `10`].name",
    answer: (labels) => namesOf(labels.filter(({ name }) => name.length > 10)),
  },
  {
    kind: "group",
    select: "count_by(@, &to_string(default))",
    answer: (labels) => tally(labels, (label) => String(label.default)),
  },
  {
    kind: "top",
    select: "max_by(@, &length(description)).name",
    answer: (labels) => largest(labels, ({ description }) => description.length)?.name,
  },
  {
    kind: "lookup",
    select: "[?name == 'bug'].color | [0]",
    answer: (labels) => labels.find(({ name }) => name === "bug")?.color,
  },
  {
    kind: "text",
    select: "[?contains(lower(description), 'this')].name",
    answer: (labels) =>
      namesOf(labels.filter(({ description }) => description.toLowerCase().includes("this"))),
  },
  {
    kind: "text",
    select: "[?matches(color, '^[0-9]+$')].name",
    answer: (labels) => namesOf(labels.filter(({ color }) => /^[0-9]+$/.test(color))),
  },
];

interface Repository {
  readonly [key: string]: unknown;
  readonly full_name: string;
  readonly stargazers_count: number;
  readonly default_branch: string;
  readonly created_at: string;
  readonly owner: { readonly login: string; readonly type: string };
}

/** Questions to one object with many keys. */
export const repositoryQuestions: readonly Question<Repository>[] = [
  { kind: "count", select: "length(keys(@))", answer: (repository) => Object.keys(repository).length },
  {
    kind: "count",
    select: "length(keys(@)[?ends_with(@, '_url')])",
    answer: (repository) => Object.keys(repository).filter((key) => key.endsWith("_url")).length,
  },
  {
    kind: "filter",
    select: "sort(keys(@)[?starts_with(@, 'has_')])",
    answer: (repository) =>
      ordered(
        Object.keys(repository).filter((key) => key.startsWith("has_")),
        (key) => key,
      ),
  },
  {
    kind: "lookup",
    select: "{name: full_name, stars: stargazers_count, branch: default_branch}",
    answer: (repository) => ({
      name: repository.full_name,
      stars: repository.stargazers_count,
      branch: repository.default_branch,
    }),
  },
  { kind: "lookup", select: "created_at", answer: (repository) => repository.created_at },
  { kind: "lookup", select: "owner.[login, type]", answer: ({ owner }) => [owner.login, owner.type] },
  {
    kind: "filter",
    select: "items(@)[?type([1]) == 'object'][0]",
    answer: (repository) =>
      Object.entries(repository)
        .filter(([, value]) => typeof value === "object" && value !== null && !Array.isArray(value))
        .map(([key]) => key),
  },
  {
    kind: "text",
    select: "keys(@)[?matches(@, '^pushed|^created')] | sort(@)",
    answer: (repository) =>
      ordered(
        Object.keys(repository).filter((key) => /^pushed|^created/.test(key)),
        (key) => key,
      ),
  },
];
