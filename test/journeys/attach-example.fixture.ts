// A small server as the SDKs' own examples write them: tools with Zod schemas that know nothing of Waybill, but for
// one that throws a ToolFault. Written once, registered in the manner of each SDK.

import { ToolFault } from "../../src/core/contract/tool-fault.ts";
import { McpServer as McpServer24 } from "@modelcontextprotocol/server";
import { McpServer as McpServer118 } from "mcp-sdk-1-18/server/mcp.js";
import { McpServer as McpServer125 } from "mcp-sdk-1-25/server/mcp.js";
import { McpServer as McpServer132 } from "mcp-sdk-1-32/server/mcp.js";
import * as z3 from "zod/v3";
import * as z4 from "zod/v4";

export const serverKinds = ["2.4.0", "1.32.2", "1.25.3", "1.18.2"] as const;
export type ServerKind = (typeof serverKinds)[number];

export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
export const LEDGER = '{"account": 12345678901234567890, "ratio": 1.0}';
export const REPORT_URI = "file:///reports/july.pdf";
export const FORECAST = { city: "Bern", temperature: 21.5, days: ["sunny", "rain"] };

type Result = Readonly<Record<string, unknown>>;
type Notify = (progress: number, total: number) => Promise<void>;
type Handler = (args: Readonly<Record<string, unknown>>, notify: Notify) => Result | Promise<Result>;

interface ExampleTool {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly run: Handler;
}

function text(said: string): { type: "text"; text: string } {
  return { type: "text", text: said };
}

function exampleTools(z: typeof z3 | typeof z4): readonly ExampleTool[] {
  const { number, string, array } = z as typeof z4;
  return [
    {
      name: "add",
      input: { a: number(), b: number() },
      output: { sum: number() },
      run: ({ a, b }) => {
        const structuredContent = { sum: Number(a) + Number(b) };
        return { content: [text(JSON.stringify(structuredContent))], structuredContent };
      },
    },
    {
      name: "forecast",
      input: { city: string() },
      output: { city: string(), temperature: number(), days: array(string()) },
      run: () => ({ content: [text(JSON.stringify(FORECAST, null, 2))], structuredContent: FORECAST }),
    },
    {
      name: "greet",
      input: { name: string() },
      run: ({ name }) => ({ content: [text(`Hello, ${String(name)}!`)] }),
    },
    { name: "rows", run: () => ({ content: [text('{"rows":[{"id":1},{"id":2}],"next":null}')] }) },
    { name: "ledger", run: () => ({ content: [text(LEDGER)] }) },
    { name: "picture", run: () => ({ content: [{ type: "image", data: PNG, mimeType: "image/png" }] }) },
    {
      name: "report",
      run: () => ({
        content: [
          text("The report is ready"),
          { type: "resource_link", uri: REPORT_URI, name: "july", mimeType: "application/pdf" },
        ],
      }),
    },
    {
      name: "refuse",
      run: () => ({ content: [text("The printer is out of paper")], isError: true }),
    },
    {
      name: "boom",
      output: { done: z.boolean() },
      run: () => {
        throw new Error("The disk is full");
      },
    },
    {
      name: "missing",
      output: { task: string() },
      run: () => {
        throw new ToolFault("Task not found: T-9", {
          errorCode: "TASK_NOT_FOUND",
          remediation: "List the tasks first.",
          details: { id: "T-9" },
        });
      },
    },
    {
      name: "slow",
      run: async (_args, notify) => {
        await notify(1, 2);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { content: [text("Done")], _meta: { "com.example/took": 20 } };
      },
    },
  ];
}

interface V1Extra {
  readonly _meta?: { readonly progressToken?: string | number };
  sendNotification(notification: object): Promise<void>;
}
interface V2Context {
  readonly mcpReq: {
    readonly _meta?: { readonly progressToken?: string | number };
    notify(notification: object): Promise<void>;
  };
}

/** Both SDKs show a handler the request's progress token, and a way to send; only the places differ. */
function notifierOf(context: V1Extra | V2Context): Notify {
  const isV1 = "sendNotification" in context;
  const progressToken = isV1 ? context._meta?.progressToken : context.mcpReq._meta?.progressToken;
  return async (progress, total) => {
    if (progressToken === undefined) return;
    const notification = { method: "notifications/progress", params: { progressToken, progress, total } };
    await (isV1 ? context.sendNotification(notification) : context.mcpReq.notify(notification));
  };
}

interface Registers {
  registerTool(name: string, config: never, handler: never): unknown;
}

function register(server: Registers, z: typeof z3 | typeof z4, schemaOf: (shape: never) => unknown): void {
  for (const { name, input, output, run } of exampleTools(z)) {
    const config = {
      description: `The ${name} tool`,
      ...(input === undefined ? {} : { inputSchema: schemaOf(input as never) }),
      ...(output === undefined ? {} : { outputSchema: schemaOf(output as never) }),
    };
    const handler =
      input === undefined
        ? async (context: V1Extra | V2Context) => run({}, notifierOf(context))
        : async (args: Record<string, unknown>, context: V1Extra | V2Context) =>
            run(args, notifierOf(context));
    server.registerTool(name, config as never, handler as never);
  }
}

const info = { name: "example", version: "1.0.0" };
const asShape = (shape: unknown): unknown => shape;

interface ExampleServer extends Registers {
  connect(transport: never): Promise<void>;
}

/** The example server of an SDK version, as its author left it. */
export function exampleServer(kind: ServerKind): ExampleServer {
  if (kind === "2.4.0") {
    const server: unknown = new McpServer24(info);
    register(server as Registers, z4, (shape) => z4.object(shape));
    return server as ExampleServer;
  }
  const Server = { "1.32.2": McpServer132, "1.25.3": McpServer125, "1.18.2": McpServer118 }[kind];
  const server: unknown = new Server(info);
  register(server as Registers, kind === "1.18.2" ? z3 : z4, asShape);
  return server as ExampleServer;
}
