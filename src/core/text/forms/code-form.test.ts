import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCode } from "./code-form.ts";
import { recogniseForm } from "./recognise-form.ts";
import { DECORATION, STRUCTURE, lineStartsOf } from "./text-form.ts";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
const formOf = (text: string) => readCode(text, lineStartsOf(text));
const isStructure = (text: string): readonly string[] => {
  const { ranks = [] } = formOf(text) ?? {};
  return text.split("\n").filter((_, at) => ranks[at] === STRUCTURE);
};

const typescript = `// Keeps entries.
import {
  type Entry,
  open,
} from "./entry.ts";
import { store } from "./store.ts";

export interface Options {
  readonly limit: number;
}

const MAX = 3;

export class Keeper {
  readonly #all: Entry[] = [];

  constructor(options: Options) {
    this.limit = options.limit;
  }

  async keep(entry: Entry): Promise<void> {
    for (const one of this.#all) {
      await open(one);
    }
    if (entry.size > MAX) {
      throw new Error("too large");
    }
  }
}

export function keeperOf(options: Options): Keeper {
  return new Keeper(options);
}
`;

const python = `import os
from pathlib import Path


class Store:
    """Keeps files."""

    def __init__(self, root):
        self.root = root

    async def read(self, name):
        for part in self.parts(name):
            if part == "":
                return None
        return Path(self.root, name).read_text()


def main():
    store = Store(os.getcwd())
    print(store.read("a"))
`;

const go = `package store

import (
	"fmt"
	"os"
)

type Store struct {
	root string
}

func Open(root string) (*Store, error) {
	if root == "" {
		return nil, fmt.Errorf("no root")
	}
	return &Store{root: root}, nil
}

func (s *Store) Read(name string) ([]byte, error) {
	return os.ReadFile(s.root + name)
}
`;

describe("source code", () => {
  it("has its declarations as structure, and nothing that runs", () => {
    expect(isStructure(typescript)).toEqual([
      "export interface Options {",
      "const MAX = 3;",
      "export class Keeper {",
      "  constructor(options: Options) {",
      "  async keep(entry: Entry): Promise<void> {",
      "export function keeperOf(options: Options): Keeper {",
    ]);
    expect(isStructure(python)).toEqual([
      "class Store:",
      "    def __init__(self, root):",
      "    async def read(self, name):",
      "def main():",
    ]);
    expect(isStructure(go)).toEqual([
      "type Store struct {",
      "func Open(root string) (*Store, error) {",
      "func (s *Store) Read(name string) ([]byte, error) {",
    ]);
  });

  it("gives each line the declaration around it, and that one the declaration around it", () => {
    const { parents = new Int32Array(), ranks = [] } = formOf(typescript) ?? {};
    const lines = typescript.split("\n");
    const at = lines.findIndex((line) => line.includes("too large"));
    const method = parents[at] ?? -1;
    expect(lines[method]).toContain("async keep");
    expect(lines[parents[method] ?? -1]).toContain("class Keeper");
    expect(parents[parents[method] ?? -1]).toBe(-1);
    expect([1, 2, 3, 4, 5, 6].map((line) => ranks[line])).toEqual(
      Array.from({ length: 6 }, () => DECORATION),
    );
  });

  it("may have the numbers of its lines before them", () => {
    for (const sign of ["\t", "→", ": ", " | "]) {
      const numbered = typescript
        .trimEnd()
        .split("\n")
        .map((line, at) => `${String(at + 1).padStart(6)}${sign}${line}`);
      expect([...(formOf(numbered.join("\n"))?.ranks ?? [])]).toEqual([...(formOf(typescript)?.ranks ?? [])]);
    }
  });

  it("has the sentences of tests as structure", () => {
    expect(isStructure(read("./code-form.test.ts")).filter((line) => line.includes("it("))).toHaveLength(5);
  });

  it("is what the sources of this project are, but for files with hardly a declaration", () => {
    const folder = new URL("../../pipeline/fit/", import.meta.url);
    const kinds = readdirSync(folder).map(
      (name) => recogniseForm(readFileSync(new URL(name, folder), "utf8"))?.kind,
    );
    expect(new Set(kinds)).toEqual(new Set(["code"]));
  });

  it.each([
    "../../../../docs/lifecycle.md",
    "../../../../docs/server.md",
    "../../../../package.json",
    "../../../../schemas/rules.yaml",
  ])("is not %s", (path) => {
    expect(formOf(read(path))).toBeUndefined();
  });
});
