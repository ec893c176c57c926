import { type BrokenServer, rewriteSuccess } from "../broken-server.ts";
import { failure, plainText, structured } from "../good-server.ts";
import type { Json, RawServer } from "../raw-server.ts";
import { sampleTool } from "../sample-tool.ts";

/** Changes what list_parcels answers with. */
function repage(server: RawServer, change: (page: Json, args: Json) => Json): void {
  rewriteSuccess(server, "list_parcels", ({ structuredContent }, args) => {
    const page = structuredContent as Json;
    return structured({ ...page, ...change(page, args) });
  });
}

/** Pages of a tool's results. */
export const brokenPages: readonly BrokenServer[] = [
  {
    rule: "paging/cursor-accepted",
    change: (server) => {
      const tool = server.tools.find(({ definition }) => definition.name === "list_parcels");
      const run = tool?.run;
      if (tool === undefined || run === undefined) return;
      tool.run = (args, asked) =>
        args["cursor"] === "from-5"
          ? failure("INVALID_CURSOR", "This cursor has expired", "Leave it out to begin again")
          : run(args, asked);
    },
  },
  {
    rule: "paging/cursor-advances",
    implies: ["paging/doubles"],
    change: (server) => repage(server, () => ({ nextCursor: "from-0" })),
  },
  {
    rule: "paging/doubles",
    implies: ["paging/total"],
    change: (server) =>
      repage(server, ({ parcels, nextCursor }) => {
        const double = { id: "P-001", state: "delivered", weight_kg: 0.5 };
        return nextCursor === undefined ? { parcels: [...(parcels as Json[]), double] } : {};
      }),
  },
  {
    rule: "paging/empty-page",
    change: (server) =>
      // Behind the last page comes an empty one with a cursor, and only then is it over.
      repage(server, ({ nextCursor }, { cursor }) => {
        if (cursor === "from-200") return {};
        return { nextCursor: nextCursor ?? (cursor === "from-100" ? "from-200" : "from-100") };
      }),
  },
  {
    rule: "paging/total",
    change: (server) => repage(server, () => ({ total_count: 99 })),
  },
];

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `depot ${index}`).join(", ");

/** Results that are too large. */
export const brokenSizes: readonly BrokenServer[] = [
  {
    rule: "size/client-limit",
    implies: ["size/client-bytes"],
    change: (server) => {
      server.tools.push(sampleTool("show_sample", () => plainText(words(9_000))));
    },
  },
  {
    rule: "size/client-bytes",
    change: (server) => {
      server.tools.push(sampleTool("show_sample", () => plainText(words(1_200))));
    },
  },
  {
    rule: "size/message",
    implies: ["size/client-bytes", "size/client-limit"],
    change: (server) => {
      server.tools.push(sampleTool("show_sample", () => plainText("depot ".repeat(1_900_000))));
    },
  },
];
