import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cursors } from "./cursors.fixture.ts";
import { type Editor, openEditor } from "./language-service.fixture.ts";
import { wrongPrograms } from "./wrong-programs.fixture.ts";

const published = `export const list = defineTool("list", { description: "t", paging: true }, async (_, ctx) => {
  const page = await ctx.page({ path: "tasks", fetch: () => [{ id: "a", at: new Date() }], key: ({ id }) => id });
  return { ...page, tasks: page.tasks.map(({ id }) => id) };
});
const errors = { gone: { code: "NOT_FOUND", when: "x", details: z.object({ id: z.string() }) } } as const;
export const get = defineTool("get", { description: "t", errors }, (_, ctx) =>
  ctx.isAnonymous ? ctx.fail("gone", { id: "a" }) : successResponse({ task: { id: "a" } }),
);
export const contract = createContract({ tools: [list, get] });
export const tools = contractClient<ToolsOf<typeof contract>>(async () => ({}));
export const tried = await tools.tryCall("get", {}, { complete: true });
export const called = tools.call("list");`;

let editor: Editor;
beforeAll(async () => {
  // One project for all: most of the time goes to loading the package's own types.
  editor = await openEditor([...[...cursors, ...wrongPrograms].map(({ program }) => program), published]);
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

describe("a package with tools", () => {
  it("compiles, and its declarations can be written: no type of ours is without a name there", async () => {
    expect(await editor.firstError(published)).toBeUndefined();
    expect(await editor.firstDeclarationError(published)).toBeUndefined();
  });
});
