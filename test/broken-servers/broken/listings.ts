import { type BrokenServer, redefine } from "../broken-server.ts";
import { type Json, type RawServer, type RawTool, RpcError, textOf } from "../raw-server.ts";

/** Changes each page of `tools/list`. */
function relist(server: RawServer, change: (page: Json) => Json): void {
  const listTools = server.listTools.bind(server);
  server.listTools = (params, asked) => {
    const page = listTools(params, asked);
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
      const description = "Lists parcels too, but nobody can call it.";
      if (first !== undefined)
        server.tools.push({ ...first, definition: { ...first.definition, name: "", description } });
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
  {
    rule: "list/answered",
    change: (server) => {
      const listTools = server.listTools.bind(server);
      server.listTools = (params, asked) => {
        if (params["cursor"] === "after-4") throw new RpcError(-32603, "Internal error");
        return listTools(params, asked);
      };
    },
  },
  {
    rule: "list/pages-end",
    change: (server) => {
      const listTools = server.listTools.bind(server);
      server.listTools = (params, asked) => {
        const [, place] = /^after-(\d+)$/.exec(String(params["cursor"])) ?? [];
        const index = Number(place ?? 0);
        if (index < 8) return { ...listTools(params, asked), nextCursor: `after-${index + 4}` };
        return { tools: [fieldTool(index, noFields)], nextCursor: `after-${index + 1}` };
      };
    },
  },
  {
    rule: "list/cursor-advances",
    change: (server) => relist(server, ({ nextCursor }) => ({ nextCursor: nextCursor ?? "after-4" })),
  },
  {
    rule: "list/doubles",
    change: (server) => {
      const [first] = server.tools;
      if (first !== undefined) server.tools.push(first);
    },
  },
  {
    rule: "list/order-stable",
    change: (server) => {
      server.pageSize = 100;
      relist(server, ({ tools }) => ({
        tools: server.listings % 2 === 0 ? (tools as Json[]).toReversed() : tools,
      }));
    },
  },
  {
    rule: "list/definitions-stable",
    change: (server) =>
      relist(server, ({ tools }) => ({
        tools: (tools as Json[]).map((tool) => ({
          ...tool,
          title: `${String(tool["title"])} ${server.listings}`,
        })),
      })),
  },
  {
    rule: "list/bad-cursor",
    change: (server) => {
      const listTools = server.listTools.bind(server);
      server.listTools = (params, asked) =>
        listTools(textOf(params["cursor"]).startsWith("after-") ? params : {}, asked);
    },
  },
  {
    rule: "list/tokens",
    change: (server) => addTools(server, 70, { type: "object", properties: manyProperties }),
  },
  { rule: "list/count", change: (server) => addTools(server, 125, noFields) },
];

/** About 300 tokens, so that 70 tools have too many together though none has too many alone. */
const manyProperties = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [
    `field_${index}`,
    {
      type: "string",
      description: `Field number ${index} of the record that is looked for, as the label has it.`,
    },
  ]),
);

const noFields = { type: "object", properties: {} };

/** A tool that is not called: nothing says that it only reads. */
function fieldTool(index: number, inputSchema: Json): RawTool["definition"] {
  return {
    name: `change_field_${index}`,
    title: `Change field ${index}`,
    description: `Changes field ${index} of a parcel.`,
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  };
}

function addTools(server: RawServer, count: number, inputSchema: Json): void {
  for (let index = 0; index < count; index += 1) {
    server.tools.push({ definition: fieldTool(index, inputSchema), run: () => ({ content: [] }) });
  }
  server.pageSize = 40;
}
