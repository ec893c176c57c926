// The client on the gateway's own stdin and stdout. This file loads nothing of the engine: the server is started first,
// and everything else is loaded while it starts.

import type { Readable, Writable } from "node:stream";
import type { GatewayEnd } from "../gateway-options.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { StreamLink } from "../../../engine/transport/stream-link.ts";
import type { Upstream } from "../upstream/upstream.ts";

/** A server that was started before the gateway could listen to it. */
export interface EarlyServer {
  readonly upstream: Upstream;
  readonly link: Link;
}

/** Starts the server for the single client. */
export function connectOnStdio(upstream: Upstream): EarlyServer {
  return { upstream, link: upstream.connect({ principal: "local" }) };
}

export interface StdioStreams {
  /** Default: the stream of this process. */
  readonly stdin?: Readable | undefined;
  readonly stdout?: Writable | undefined;
}

/** Connects the two sides; `onClose` is called once both are closed. */
export type OpenSides = (sides: {
  readonly client: Link;
  readonly upstream: Link;
  readonly onClose: (why: string, end: GatewayEnd) => void;
}) => { close(): void };

export interface StdioListener {
  readonly ended: Promise<GatewayEnd>;
  close(): Promise<void>;
}

/** Told when one side has left, with what must be closed first. */
type Ended = (closing: Promise<unknown>, end: GatewayEnd) => void;

/** Serves the client on stdin by what `open` makes of its link. */
export function serveOnStdio(
  { stdin = process.stdin, stdout = process.stdout }: StdioStreams,
  maxMessageBytes: number | undefined,
  open: (client: StreamLink, ended: Ended) => { close(): void },
): StdioListener {
  let resolve: (end: GatewayEnd) => void = () => undefined;
  const ended = new Promise<GatewayEnd>((done) => (resolve = done));
  const client = new StreamLink({
    input: stdin,
    output: stdout,
    maxMessageBytes,
    outlivesInput: true,
    // An open pipe without a reader would keep the process alive.
    onClose: () => stdin.destroy(),
  });
  const served = open(client, (closing, end) => void closing.finally(() => resolve(end)));
  return {
    ended,
    close: async () => {
      served.close();
      await ended;
    },
  };
}

/** Serves the client on stdin until it leaves, or until its server is finally gone. */
export function listenOnStdio(
  { upstream, link }: EarlyServer,
  streams: StdioStreams,
  maxMessageBytes: number | undefined,
  open: OpenSides,
): StdioListener {
  return serveOnStdio(streams, maxMessageBytes, (client, ended) =>
    open({ client, upstream: link, onClose: (_why, end) => ended(upstream.close(), end) }),
  );
}
