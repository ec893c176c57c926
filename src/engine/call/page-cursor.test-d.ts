/* oxlint-disable vitest/expect-expect -- here the compiler asserts */
import { describe, expectTypeOf, it } from "vitest";
import type { JsonValue } from "../../core/json/json-value.ts";
import { type PageRequest, page } from "../retrieve/cursor/page.ts";
import type { PageData } from "../settings/tool-context.ts";
import { defineTool } from "../settings/tool-definition.ts";

interface Task {
  readonly id: string;
  readonly rank: number;
}

const byId = (after: string | undefined, limit: number): Task[] => (after === "" ? [] : [].slice(limit));

describe("the cursor of ctx.page", () => {
  it("has the type that `key` gives, if `key` names its item", () => {
    defineTool("t", { description: "t", paging: true }, (_, ctx) =>
      ctx.page({
        path: "tasks",
        fetch: ({ after, limit }) => {
          expectTypeOf(after).toEqualTypeOf<string | undefined>();
          return byId(after, limit);
        },
        key: (task: Task) => task.id,
      }),
    );
    defineTool("t", { description: "t", paging: true }, (_, ctx) =>
      ctx.page({
        path: "tasks",
        key: (task: Task): [number, string] => [task.rank, task.id],
        fetch: async ({ after, limit }) => {
          expectTypeOf(after).toEqualTypeOf<[number, string] | undefined>();
          return byId(after?.[1], limit);
        },
      }),
    );
  });

  it("has the type that `fetch` names", async () => {
    defineTool("t", { description: "t", paging: true }, async (_, ctx) => {
      const data = await ctx.page({
        path: "tasks",
        fetch: ({ after, limit }: PageRequest<string>) => byId(after, limit),
        key: (task) => task.id,
        data: { open: 1 },
      });
      expectTypeOf(data).toEqualTypeOf<PageData<Task, "tasks", { open: number }>>();
      return data;
    });
  });

  it("is any JSON where neither says its type", () => {
    defineTool("t", { description: "t", paging: true }, (_, ctx) =>
      ctx.page({
        path: "tasks",
        fetch: ({ after, limit }) => {
          expectTypeOf(after).toEqualTypeOf<JsonValue | undefined>();
          return byId(JSON.stringify(after), limit);
        },
        key: (task) => task.id,
      }),
    );
  });

  it("does not compile where the two disagree, or the key is not JSON", () => {
    defineTool("t", { description: "t", paging: true }, (_, ctx) =>
      ctx.page({
        path: "tasks",
        fetch: ({ after, limit }: PageRequest<string>) => byId(after, limit),
        // @ts-expect-error -- the cursor is a text
        key: (task) => task.rank,
      }),
    );
    defineTool("t", { description: "t", paging: true }, (_, ctx) =>
      ctx.page({
        path: "tasks",
        fetch: ({ limit }) => byId(undefined, limit),
        // @ts-expect-error -- a date is not JSON
        key: (task: Task) => new Date(task.rank),
      }),
    );
  });

  it("is typed in page() too", async () => {
    await page({
      keys: "a secret of sixteen bytes",
      fetch: ({ after, limit }) => {
        expectTypeOf(after).toEqualTypeOf<number | undefined>();
        return byId(String(after), limit);
      },
      key: (task: Task) => task.rank,
    });
  });
});
