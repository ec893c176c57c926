import type { IncomingMessage, ServerResponse } from "node:http";

const allowedHeaders =
  "authorization, content-type, accept, last-event-id, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name";

/**
 * Lets a web page whose origin was accepted read the response: otherwise browsers keep it from the page.
 * Returns true for a browser's preflight request, which is answered here.
 */
export function allowPage(request: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", "mcp-session-id, www-authenticate");
  response.setHeader("vary", "origin");
  if (request.method !== "OPTIONS" || request.headers["access-control-request-method"] === undefined)
    return false;
  const asked = request.headers["access-control-request-headers"];
  response.writeHead(204, {
    "access-control-allow-methods": "GET, POST, DELETE",
    // Arguments of tools may be sent as headers of any name.
    "access-control-allow-headers": asked ?? allowedHeaders,
    "access-control-max-age": "600",
  });
  response.end();
  return true;
}
