import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { PNG_BASE64 } from "./sample-media.ts";

/** The resources the conformance suite reads by address. */
export function registerResources(server: McpServer): void {
  const text = "This is the content of the static text resource.";
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "A text", mimeType: "text/plain" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "text/plain", text }] }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "An image", mimeType: "image/png" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "image/png", blob: PNG_BASE64 }] }),
  );
  server.registerResource(
    "watched-resource",
    "test://watched-resource",
    { description: "A text that clients may subscribe to", mimeType: "text/plain" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "text/plain", text: "Watched resource content." }] }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "A resource by id", mimeType: "application/json" },
    ({ href: uri }, { id }) => ({
      contents: [
        {
          uri,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  // Era gates keep these two from modern requests, which subscribe by subscriptions/listen.
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}
