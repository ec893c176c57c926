// Where the browser comes back to: a listener on this machine that serves one sign-in and then closes. It also has a
// short address that leads to the authorization server, since the real one is long and models copy it wrongly.

import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { escapeHtml } from "../../../core/report/page-text.ts";

export interface LoopbackDoor {
  readonly redirectUri: string;
  /** Leads to the authorization server. */
  readonly address: string;
  close(): void;
}

export interface LoopbackUse {
  /** Where the short address leads. */
  readonly target: () => string | undefined;
  /** The browser came back; resolves with what the person gets to read. */
  readonly returned: (params: URLSearchParams) => Promise<ReturnPage>;
  /** Keeps the process alive while it is open. */
  readonly isAwaited: boolean;
}

interface ReturnPage {
  readonly isGood: boolean;
  readonly text: string;
}

const HOST = "127.0.0.1";
const CALLBACK = "/callback";
const SIGN_IN = "/sign-in";
const MAX_HEADER_BYTES = 16 * 1024;

/** Opens the door, at the port of an earlier registration if that is free. */
export async function openLoopbackDoor(wantedPort: number, use: LoopbackUse): Promise<LoopbackDoor> {
  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 10_000 },
    (request, response) => void answer(request, response, use, portOf(server.address())),
  );
  const listen = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, HOST, () => resolve(true));
    });
  if (!(await listen(wantedPort)) && !(await listen(0))) throw new Error("No port of this machine is free");
  server.on("error", () => undefined);
  if (!use.isAwaited) server.unref();
  const origin = `http://${HOST}:${portOf(server.address())}`;
  return {
    redirectUri: `${origin}${CALLBACK}`,
    address: `${origin}${SIGN_IN}`,
    close: () => {
      server.close();
      // The page of the last request is still on its way.
      setTimeout(() => server.closeAllConnections(), 1_000).unref();
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The port of a redirect that was registered before; 0 for any other. */
export function portIn(redirectUri: string | undefined): number {
  if (redirectUri === undefined || !URL.canParse(redirectUri)) return 0;
  const { hostname, port, pathname } = new URL(redirectUri);
  return hostname === HOST && pathname === CALLBACK ? Number(port) : 0;
}

async function answer(
  { method, url = "/", headers }: IncomingMessage,
  response: ServerResponse,
  { target, returned }: LoopbackUse,
  port: number,
): Promise<void> {
  // A page elsewhere whose name leads to this machine sends its own name.
  if (headers.host !== `${HOST}:${port}` || method !== "GET") return write(response, 403, "Forbidden");
  const { pathname, searchParams } = new URL(url, `http://${HOST}`);
  if (pathname === SIGN_IN) {
    const address = target();
    if (address === undefined)
      return write(response, 503, "The sign-in is not ready yet. Open this address again.");
    response.writeHead(302, { ...plainHeaders, location: address });
    response.end();
    return undefined;
  }
  if (pathname !== CALLBACK) return write(response, 404, "Not found");
  const { isGood, text } = await returned(searchParams);
  return write(response, isGood ? 200 : 400, text);
}

const plainHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  connection: "close",
};

/** Its policy lets no style in, so the browser's own look is taken, in the colours that the person has chosen. */
const PAGE_HEAD =
  '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<meta name="color-scheme" content="light dark"><title>Waybill</title>';

function write(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...plainHeaders, "content-type": "text/html; charset=utf-8" });
  response.end(`${PAGE_HEAD}<main><h1>Waybill</h1><p>${escapeHtml(text)}</p></main></html>\n`);
}
