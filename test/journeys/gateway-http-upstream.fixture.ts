import { StreamableHTTPClientTransport as Http24 } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport as Http118 } from "mcp-sdk-1-18/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http125 } from "mcp-sdk-1-25/client/streamableHttp.js";
import { StreamableHTTPClientTransport as Http132 } from "mcp-sdk-1-32/client/streamableHttp.js";
import type { ContractOptions } from "../../src/engine/settings/contract-options.ts";
import { createState } from "../../src/engine/call/contract-state.ts";
import { openBridge } from "../../src/doors/gateway/bridge/bridge.ts";
import { type LinkEnd, linkPair } from "../../src/engine/transport/link-pair.fixture.ts";
import { later, serveProxy } from "../../src/doors/gateway/reverse-proxy/proxy-http.fixture.ts";
import { openHttpUpstream } from "../../src/doors/gateway/upstream/http-upstream.ts";
import type { ServerKind } from "./attach-example.fixture.ts";

/** How a client reaches an HTTP server through the gateway. */
export const ways = ["over HTTP", "in lines"] as const;
export type Way = (typeof ways)[number];

interface LineTransport {
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
}

/** A transport of any SDK over one end of a link. */
export class LinkTransport implements LineTransport {
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
  readonly #link: LinkEnd;

  constructor(link: LinkEnd) {
    this.#link = link;
  }

  start(): Promise<void> {
    this.#link.listen({
      message: (bytes) => this.onmessage?.(JSON.parse(bytes.toString())),
      oversized: () => undefined,
      closed: () => this.onclose?.(),
    });
    return Promise.resolve();
  }

  send(message: unknown): Promise<void> {
    this.#link.send(JSON.stringify(message));
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#link.close();
    this.onclose?.();
    return Promise.resolve();
  }
}

const httpTransports = { "2.4.0": Http24, "1.32.2": Http132, "1.25.3": Http125, "1.18.2": Http118 };

/** A transport through the gateway to the server behind a URL, for a client of any SDK. */
export async function throughGateway(
  url: string,
  way: Way,
  kind: ServerKind,
  contract: ContractOptions,
): Promise<object> {
  if (way === "over HTTP") {
    const served = await serveProxy({ url }, contract);
    return new httpTransports[kind](new URL(served.url));
  }
  const upstream = openHttpUpstream("behind", { url });
  const [near, far] = linkPair();
  const state = createState({ logLevel: "silent", requestIds: () => "req_1", ...contract });
  const link = upstream.connect({ principal: "local" });
  const bridge = openBridge({ state, client: far, upstream: link });
  later(async () => {
    bridge.close();
    await upstream.close();
  });
  return new LinkTransport(near);
}
