import { request } from "node:http";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Buffer;
}

const defaults: Readonly<Record<string, string>> = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** One request as it is, also where it is wrong; a header that is undefined is left out. */
export function send(
  url: URL,
  { method = "POST", path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const all = { ...(method === "POST" ? defaults : {}), ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: sent as Record<string, string>,
      path: path ?? url.pathname,
      agent: false,
    };
    const asked = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
      answer.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

/** The messages in a body that is JSON or a stream of events. */
export function messagesIn({ headers, body }: RawAnswer): unknown[] {
  if (headers["content-type"] === "application/json") return [JSON.parse(body)];
  return body
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)) as unknown);
}

export const VERSION = "2026-07-28";

export const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
};

/** A sound request of the modern era, with the headers that belong to it. */
export function modern(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  id: unknown = 1,
): { readonly headers: Record<string, string>; readonly body: string } {
  const name = params["name"] ?? params["uri"];
  return {
    headers: {
      "mcp-protocol-version": VERSION,
      "mcp-method": method,
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id,
      method,
      params: { ...params, _meta: { ...modernMeta, ...(params["_meta"] as object | undefined) } },
    }),
  };
}

export const greeting = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
