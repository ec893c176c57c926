import * as z from "zod/mini";
import { RETRIEVE_NAME, retrieveNameProblem } from "../../core/contract/wire-names.ts";
import { thrownBy } from "../../core/options/check-options.ts";
import {
  limitOf,
  choice,
  date,
  judged,
  key,
  list,
  named,
  number,
  object,
  readable,
  text,
  toggle,
  whole,
} from "../../core/options/option-kinds.ts";
import { type SpanRange, spanProblem } from "../../core/options/span.ts";
import { compileFilter } from "../../core/pipeline/shape/compile-filter.ts";
import {
  type Facet,
  type SettingGroup,
  type SettingKind,
  type Row,
  type SettingsTable,
  type Within,
  isGroup,
  snake,
} from "./table-types.ts";

const string = z.string("Write a string.");

/** The kinds whose schema is the same for all settings, in a file and in code. */
const plain = {
  toggle,
  text,
  profile: text,
  date,
  strings: list(string),
  "named-texts": named(text),
  "named-strings": named(string),
  own: z.unknown(),
};

/** The kinds that a file writes otherwise than code. */
const ofFile = {
  paths: list(text),
  "paths-by-tier": named(list(text)),
  "tool-name": z
    .string()
    .check(z.regex(RETRIEVE_NAME, "Write letters, digits, dashes and underscores, 60 at most.")),
};

/** A length of time in words, such as "12h". */
function span(range: SpanRange): z.ZodMiniType {
  const advice = spanProblem("", range) ?? "";
  return readable((given) => (spanProblem(given, range) === undefined ? given : undefined), advice);
}

function inFile(kind: SettingKind): z.ZodMiniType {
  if (kind.is in plain) return plain[kind.is as keyof typeof plain];
  if (kind.is === "choice") return choice(kind.of);
  if (kind.is === "choices") return list(choice(kind.of));
  if (kind.is === "amount") return limitOf(kind.unit);
  if (kind.is === "whole" || kind.is === "duration") return whole(kind);
  if (kind.is === "span") return span(kind);
  if (kind.is !== "texts") return ofFile[kind.is as keyof typeof ofFile];
  return kind.least === undefined ? list(text) : list(text).check(z.minLength(1, kind.least));
}

function inCode(kind: SettingKind, name: string): z.ZodMiniType {
  if (kind.is === "duration") return number(kind);
  if (kind.is === "tool-name") return judged(retrieveNameProblem);
  if (kind.is !== "paths") return inFile(kind);
  // A path that cannot be parsed would fail every call of its tool.
  return judged((value) => {
    const problem = thrownBy(() => compileFilter({ [name]: value as readonly string[] }));
    return problem === undefined ? undefined : `cannot be used. ${problem}`;
  });
}

type Shape = Record<string, z.ZodMiniType>;

function isIn(entry: Row | SettingGroup, facet: Facet): boolean {
  return isGroup(entry)
    ? Object.values(entry.members).some((row) => row[facet] !== undefined)
    : entry[facet] !== undefined;
}

function shapeIn(
  table: SettingsTable,
  facet: Facet,
  each: (name: string, entry: Row | SettingGroup) => [string, z.ZodMiniType],
): Shape {
  const entries = Object.entries(table).filter(([, entry]) => isIn(entry, facet));
  return Object.fromEntries(entries.map(([name, entry]) => each(name, entry)));
}

/** The options in code of one layer, without their optional wrappers. */
export function codeShape<T extends SettingsTable, F extends Facet>(
  table: T,
  facet: F,
): Readonly<Record<Within<T, F> & string, z.ZodMiniType>> {
  const shape = shapeIn(table, facet, (name, entry) => {
    if (!isGroup(entry)) return [name, inCode(entry.kind, name)];
    const members = shapeIn(entry.members, facet, (member, row) => [
      member,
      z.optional(inCode((row as Row).kind, member)),
    ]);
    return [name, object(members, entry.advice)];
  });
  return shape as Record<Within<T, F> & string, z.ZodMiniType>;
}

/** The keys of a file in one layer, described; `own` has the schemas that no kind describes, by their names in code. */
export function fileShape(
  table: SettingsTable,
  facet: "file" | "fileTool" | "upstream",
  own: Readonly<Record<string, z.ZodMiniType>> = {},
): Shape {
  return shapeIn(table, facet, (name, entry) => {
    const said = entry[facet] === true ? entry.file : entry[facet];
    const schema =
      own[name] ?? (isGroup(entry) ? object(fileShape(entry.members, facet)) : inFile(entry.kind));
    return [snake(name), key(schema, said ?? "")];
  });
}
