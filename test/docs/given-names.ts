import { readFileSync } from "node:fs";
import { root } from "./read-blocks.ts";

export const givenFile = "test/docs/given.fixture.ts";

const text = readFileSync(`${root}${givenFile}`, "utf8");

/** The names that given.fixture.ts exports, each as an import writes it; read as text, since that module opens connections. */
export const givenNames: ReadonlyMap<string, string> = (() => {
  const types = Array.from(text.matchAll(/^export (?:interface|type) (\w+)/gm), ([, name = ""]) => name);
  const values = Array.from(
    text.matchAll(/^export const (?:\[(.*?)\]|(\w+))/gm),
    ([, several, one]) => several ?? one ?? "",
  );
  const passed = Array.from(text.matchAll(/^export \{ (.*) \}/gm), ([, names = ""]) => names);
  const listed = [...values, ...passed].flatMap((names) => names.split(/,\s*/));
  return new Map([
    ...listed.map((item) => item.replace(/^.* as /, "")).map((name) => [name, name] as const),
    ...types.map((name) => [name, `type ${name}`] as const),
  ]);
})();

/** Names of what is made anew for each fragment: the keys of `fresh`. */
export const freshNames: ReadonlySet<string> = new Set(
  Array.from(
    /^export const fresh = \{\n([^]*?)^\};/m.exec(text)?.[1]?.matchAll(/^ {2}(\w+):/gm) ?? [],
    ([, name = ""]) => name,
  ),
);
