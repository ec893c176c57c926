// The rows of the settings table one by one, groups opened: for code that does the same with every setting of a layer.

import { type Facet, type Row, type SettingGroup, isGroup, snake } from "./table-types.ts";
import { settingTable } from "./table.ts";

/** One setting and its place: `["fit", "strategy"]` in code, `fit.strategy` in a file. */
export interface Leaf extends Row {
  readonly names: readonly string[];
  readonly path: string;
}

/** Every setting, in the order of the table. */
const allLeaves: readonly Leaf[] = Object.entries<Row | SettingGroup>(settingTable).flatMap(([name, entry]) =>
  isGroup(entry)
    ? Object.entries(entry.members).map(([member, row]) => leafAt([name, member], row))
    : [leafAt([name], entry)],
);

function leafAt(names: readonly string[], row: Row): Leaf {
  return { ...row, names, path: names.map(snake).join(".") };
}

/** The settings that can be set in a layer. */
export function leavesIn(facet: Facet): readonly Leaf[] {
  return allLeaves.filter((leaf) => leaf[facet] !== undefined);
}

/** A setting of one tool that exists in general too. */
export interface ToolLeaf extends Leaf {
  readonly general: string;
  readonly generalNames: readonly string[];
}

/** The settings that every layer can decide for a tool. */
export const toolLeaves: readonly ToolLeaf[] = leavesIn("fileTool").flatMap((leaf) => {
  const inGeneral = allLeaves.find(
    ({ path, file }) => file !== undefined && path === (leaf.general ?? leaf.path),
  );
  if (inGeneral === undefined) return [];
  const { names: generalNames, path: general, default: byDefault } = inGeneral;
  return [{ ...leaf, general, generalNames, default: byDefault }];
});

export function valueAt(object: unknown, names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => (at as Branch | undefined)?.[name], object);
}

type Branch = Readonly<Record<string, unknown>>;

/** A copy of an object with the value at a path of at most two names. */
export function withValue<Whole extends object>(
  whole: Whole,
  [name = "", inner]: readonly string[],
  value: unknown,
): Whole {
  const before = (whole as Branch)[name] as Branch | undefined;
  return { ...whole, [name]: inner === undefined ? value : { ...before, [inner]: value } };
}
