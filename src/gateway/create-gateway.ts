// Puts the parts together: options become contracts and upstreams, and one listener serves them on stdio or over HTTP.

import { openBridge } from "./bridge.ts";
import { checkGatewayOptions } from "./check-gateway-options.ts";
import type {
  Gateway,
  GatewayEnd,
  GatewayOptions,
  GatewaySummary,
  HttpOptions,
  UpstreamOptions,
} from "./gateway-options.ts";
import {
  type EarlyServer,
  type StdioListener,
  type StdioStreams,
  connectOnStdio,
  listenOnStdio,
} from "./listen/stdio.ts";
import { ServedSet } from "./served-set.ts";
import { childUpstream } from "./upstream/child-upstream.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** The SDKs end a connection on stdio at a longer line. */
const MAX_STDIO_BYTES = 10 * 1024 * 1024;

/** What a caller inside this package has besides: streams of its own, and a server that it started already. */
export interface GatewayParts extends StdioStreams {
  readonly early?: EarlyServer | undefined;
  /** The upstreams are those of the configuration file, so they change with it. */
  readonly followsFile?: boolean | undefined;
  /** Takes what servers write to stderr. Default: this process's stderr, with the server's name in front. */
  readonly serverNote?: ServerNote | undefined;
}

type ServerNote = (upstream: string, line: string) => void;

/** What is served, on stdio or over HTTP. */
interface Listener {
  readonly urls: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** What is only needed for HTTP is only loaded for it. */
async function openUpstream(
  name: string,
  options: UpstreamOptions,
  note: ServerNote | undefined,
): Promise<Upstream> {
  if (options.url === undefined)
    return childUpstream(name, options, { note: note && ((line) => note(name, line)) });
  const { openHttpUpstream } = await import("./upstream/http-upstream.ts");
  return openHttpUpstream(name, options);
}

class RunningGateway implements Gateway {
  readonly #options: GatewayOptions;
  readonly #parts: GatewayParts;
  readonly #served: ServedSet;
  readonly #ended: Promise<GatewayEnd>;
  #end: (end: GatewayEnd) => void = () => undefined;
  #listening: Promise<Listener> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: GatewayOptions, parts: GatewayParts) {
    this.#options = options;
    this.#parts = parts;
    this.#served = new ServedSet(options);
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  async listen(): Promise<{ readonly urls: Readonly<Record<string, string>> }> {
    const { http } = this.#options;
    this.#listening ??= http === undefined ? this.#onStdio() : this.#overHttp(http);
    const { urls } = await this.#listening;
    return { urls };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  ended(): Promise<GatewayEnd> {
    return this.#ended;
  }

  summary(): Promise<GatewaySummary> {
    return this.#served.summary();
  }

  async #close(): Promise<void> {
    const listener = await this.#listening?.catch(() => undefined);
    await listener?.close();
    await this.#parts.early?.upstream.close();
    await this.#served.close();
    this.#end({ by: "close", reason: "It was stopped." });
  }

  async #onStdio(): Promise<Listener> {
    const [name = "", options] = Object.entries(this.#options.upstreams)[0] ?? [];
    if (options === undefined) return { urls: {}, close: async () => undefined };
    // What is refused has started nothing.
    const { state } = this.#served.add(name, options);
    const early =
      this.#parts.early ?? connectOnStdio(await openUpstream(name, options, this.#parts.serverNote));
    const listener: StdioListener = listenOnStdio(early, this.#parts, options.maxMessageBytes, (sides) =>
      openBridge({
        ...sides,
        state,
        hide: options.hide,
        callTimeoutMs: options.callTimeoutMs,
        requestTimeoutMs: options.requestTimeoutMs,
        maxReplyBytes: MAX_STDIO_BYTES,
        note: (text) => state.log.warn("gateway-dropped", { upstream: name, what: text }),
      }),
    );
    void listener.ended.then(this.#end);
    return { urls: {}, close: () => listener.close() };
  }

  /** What only HTTP needs is loaded here. */
  async #overHttp(http: HttpOptions): Promise<Listener> {
    const { listenOverHttp } = await import("./listen/over-http.ts");
    const { config, upstreams } = this.#options;
    const followed = this.#parts.followsFile === true ? config : undefined;
    const { serverNote } = this.#parts;
    return listenOverHttp({ upstreams, http, followed, served: this.#served, serverNote });
  }
}

/** The same with parts that only callers inside this package have. */
export function openGateway(options: GatewayOptions, parts: GatewayParts): Gateway {
  checkGatewayOptions(options);
  return new RunningGateway(options, parts);
}

/**
 * A gateway in front of servers you do not own: same tools, same names, every tool result under the contract.
 *
 * @example
 * const gateway = createGateway({
 *   upstreams: { files: { command: "npx", args: ["-y", "@modelcontextprotocol/server-filesystem", "."] } },
 *   http: { port: 3333 },
 * });
 * const { urls } = await gateway.listen();
 */
export function createGateway(options: GatewayOptions): Gateway {
  return openGateway(options, {});
}
