import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Editor, openEditor } from "./language-service.fixture.ts";
import { wrongPrograms } from "./wrong-programs.fixture.ts";

describe("the compiler says of", () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor(wrongPrograms.map(({ program }) => program));
  });
  afterAll(() => editor.close());

  it.each(wrongPrograms)("$mistake: $says", async ({ program, says }) => {
    expect(await editor.firstError(program)).toBe(says);
  });
});
