import { type BrokenServer, refinish, sayBefore } from "../broken-server.ts";
import { listenOn } from "../http-server.ts";
import { NoAnswer, RpcError, notification } from "../raw-server.ts";

/** How a server is reached and greeted. */
const brokenGreetings: readonly BrokenServer[] = [
  {
    rule: "protocol/reachable",
    change: (server) => {
      server.initialize = (_, { die }) => {
        die();
        throw new NoAnswer("died");
      };
    },
  },
  {
    rule: "protocol/redirect",
    transport: "http",
    change: () => undefined,
    listen: () =>
      listenOn((_, response) => response.writeHead(308, { Location: "http://127.0.0.1:9/mcp" }).end()),
  },
  {
    rule: "protocol/greeting",
    change: (server) => {
      server.initialize = () => {
        throw new RpcError(-32603, "Internal error");
      };
    },
  },
  {
    rule: "protocol/version",
    change: (server) =>
      refinish(server, "initialize", (result) => ({ ...result, protocolVersion: "2025-12-31" })),
  },
  {
    rule: "protocol/revision",
    change: (server) =>
      refinish(server, "initialize", (result) => ({ ...result, protocolVersion: "2024-11-05" })),
  },
  {
    rule: "protocol/discover",
    era: "modern",
    change: (server) =>
      refinish(server, "server/discover", (result) => ({ ...result, capabilities: undefined })),
  },
  {
    rule: "protocol/died",
    implies: ["protocol/unknown-method"],
    change: (server) => {
      const answer = server.answer.bind(server);
      server.answer = (method, params, asked) => {
        if (method.startsWith("waybill-check/")) {
          asked.die();
          throw new NoAnswer("died");
        }
        return answer(method, params, asked);
      };
    },
  },
  {
    rule: "protocol/stray-output",
    change: (server) => {
      server.banner = () => ["Parcels is listening"];
    },
  },
];

/** How a server answers what is simple, wrong or broken. */
const brokenAnswers: readonly BrokenServer[] = [
  {
    rule: "protocol/ping",
    change: (server) => {
      server.ping = () => server.unknownMethod("ping");
    },
  },
  {
    rule: "protocol/string-id",
    change: (server) => {
      const answer = server.answer.bind(server);
      server.answer = (method, params, asked) => {
        if (typeof asked.id === "string") throw new NoAnswer("ids are numbers here");
        return answer(method, params, asked);
      };
    },
  },
  {
    rule: "protocol/unknown-method",
    change: (server) => {
      server.unknownMethod = () => ({});
    },
  },
  {
    rule: "protocol/unknown-method-code",
    change: (server) => {
      server.unknownMethod = () => {
        throw new RpcError(-32603, "Internal error");
      };
    },
  },
  {
    rule: "protocol/broken-json",
    implies: ["jsonrpc/id-null"],
    change: (server) => {
      server.brokenLine = () => ({ jsonrpc: "2.0", id: null, result: {} });
    },
  },
  {
    rule: "protocol/broken-json-code",
    implies: ["jsonrpc/id-null"],
    change: (server) => {
      server.brokenLine = () => ({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32603, message: "Internal error" },
      });
    },
  },
];

/** What a server declares and sends by itself. */
const brokenPromises: readonly BrokenServer[] = [
  {
    rule: "protocol/capability-tools",
    change: (server) => {
      server.capabilities = { logging: {} };
    },
  },
  {
    rule: "protocol/capability-notifications",
    change: (server) => {
      server.capabilities = { tools: {} };
    },
  },
  {
    rule: "protocol/client-capabilities",
    change: (server) =>
      sayBefore(server, "tools/list", { jsonrpc: "2.0", id: "own-1", method: "roots/list", params: {} }),
  },
  {
    rule: "protocol/unasked-notifications",
    era: "modern",
    change: (server) =>
      sayBefore(
        server,
        "tools/call",
        notification("notifications/message", { level: "info", data: "A tool was called." }),
      ),
  },
  {
    rule: "protocol/progress-token",
    change: (server) =>
      sayBefore(
        server,
        "tools/call",
        notification("notifications/progress", { progressToken: "of nobody", progress: 1, total: 2 }),
      ),
  },
];

/** What the modern era asks of every answer. */
const brokenModern: readonly BrokenServer[] = [
  {
    rule: "modern/result-type",
    era: "modern",
    change: (server) => refinish(server, "tools/list", (result) => ({ ...result, resultType: undefined })),
  },
  {
    rule: "modern/cache-hints",
    era: "modern",
    change: (server) => refinish(server, "tools/list", (result) => ({ ...result, ttlMs: undefined })),
  },
  {
    rule: "modern/server-info",
    era: "modern",
    change: (server) => refinish(server, "tools/list", (result) => ({ ...result, _meta: undefined })),
  },
  {
    rule: "modern/retired-codes",
    era: "modern",
    implies: ["tool/unknown-code"],
    change: (server) => {
      server.unknownTool = (name) => {
        throw new RpcError(-32002, `Unknown tool: ${name}`);
      };
    },
  },
  {
    rule: "meta/keys",
    era: "modern",
    change: (server) => refinish(server, "tools/call", addMeta("com.example/ spaced out")),
  },
  {
    rule: "meta/reserved-prefix",
    era: "modern",
    change: (server) => refinish(server, "tools/call", addMeta("com.mcp.parcels/requestId")),
  },
];

function addMeta(key: string) {
  return (result: Record<string, unknown>): Record<string, unknown> => ({
    ...result,
    _meta: { ...(result["_meta"] as object), [key]: "r-1" },
  });
}

export const brokenProtocol: readonly BrokenServer[] = [
  ...brokenGreetings,
  ...brokenAnswers,
  ...brokenPromises,
  ...brokenModern,
];
