import { type BrokenServer, redefine } from "../broken-server.ts";
import type { Json, RawServer } from "../raw-server.ts";

/** Changes each page of `tools/list`. */
function relist(server: RawServer, change: (page: Json) => Json): void {
  const { listTools } = server;
  server.listTools = (params, asked) => {
    const page = listTools.call(server, params, asked);
    return { ...page, ...change(page) };
  };
}

/** Lists of tools that are not as the protocol has them. */
export const brokenListings: readonly BrokenServer[] = [
  {
    rule: "tools-list/tools",
    change: (server) => relist(server, ({ tools }) => ({ tools: [...(tools as Json[]), null] })),
  },
  {
    rule: "tools-list/name",
    change: (server) => {
      const [first] = server.tools;
      if (first !== undefined) server.tools.push({ ...first, definition: { ...first.definition, name: "" } });
    },
  },
  {
    rule: "tools-list/name-unique",
    change: (server) => {
      const [first] = server.tools;
      if (first !== undefined) server.tools.splice(1, 0, first);
    },
  },
  {
    rule: "tools-list/description",
    change: (server) => redefine(server, "count_parcels", () => ({ description: undefined })),
  },
  {
    rule: "tools-list/input-schema",
    change: (server) => redefine(server, "count_parcels", () => ({ inputSchema: { properties: {} } })),
  },
  {
    rule: "tools-list/next-cursor",
    change: (server) => relist(server, ({ nextCursor = null }) => ({ nextCursor })),
  },
];
