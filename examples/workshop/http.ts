import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { type AuthInfo, createMcpHandler } from "@modelcontextprotocol/server";
import { memberOf } from "./callers.ts";
import { createWorkshop } from "./server.ts";
import { welcome } from "./welcome.ts";

const workshop = await createWorkshop();
const handle = toNodeHandler(createMcpHandler(workshop.build));
// A page in a browser can reach a loopback port too: only local hosts and origins pass.
const isLocalHost = localhostHostValidation();
const isLocalOrigin = localhostOriginValidation();

/** Without a token a caller is anonymous; one with an unknown token is refused. */
function authOf({ headers }: IncomingMessage): AuthInfo | "unknown" | undefined {
  const [, token] = /^Bearer (.+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) return headers.authorization === undefined ? undefined : "unknown";
  const member = memberOf(token);
  if (member === undefined) return "unknown";
  return { token, clientId: "workshop", scopes: [], extra: { sub: member.subject } };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (!isLocalHost(request, response) || !isLocalOrigin(request, response)) return;
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (pathname !== "/mcp") return void response.writeHead(404).end("The workshop answers at /mcp.\n");
  const auth = authOf(request);
  if (auth === "unknown") {
    return void response.writeHead(401, { "WWW-Authenticate": "Bearer" }).end("Unknown token.\n");
  }
  const { method = "GET", url = "/" } = request;
  const signed = Object.assign(request, { method, url, ...(auth === undefined ? {} : { auth }) });
  // Callers without a token have a quota for each address.
  void workshop.contract.withPeer(request.socket.remoteAddress, () => handle(signed, response));
}

const server = createServer(answer);
server.listen(Number(process.env["PORT"] ?? 0), "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(welcome(`http://127.0.0.1:${port}/mcp`));
});

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await workshop.close();
  process.exit(0);
}
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void stop());
