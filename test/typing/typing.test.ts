import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cursors } from "./cursors.fixture.ts";
import { type Editor, openEditor } from "./language-service.fixture.ts";
import { wrongPrograms } from "./wrong-programs.fixture.ts";

let editor: Editor;
beforeAll(async () => {
  // One project for all: most of the time goes to loading the package's own types.
  editor = await openEditor([...cursors, ...wrongPrograms].map(({ program }) => program));
});
afterAll(() => editor.close());

describe("an editor at the cursor offers", () => {
  it.each(cursors)("$at", async ({ program, offers, lacks = [] }) => {
    const names = await editor.completions(program);
    expect(offers.filter((name) => !names.includes(name))).toEqual([]);
    expect(lacks.filter((name) => names.includes(name))).toEqual([]);
  });
});

describe("the compiler says of", () => {
  it.each(wrongPrograms)("$mistake: $says", async ({ program, says }) => {
    expect(await editor.firstError(program)).toBe(says);
  });
});
