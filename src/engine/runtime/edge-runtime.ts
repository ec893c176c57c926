// The kind of runtime, as far as it matters: a server has files, sockets that stay open and threads; an edge
// runtime, such as Cloudflare Workers, has none of them, even if it provides modules with Node's names.

interface Host {
  readonly navigator?: { readonly userAgent?: string };
  readonly EdgeRuntime?: unknown;
  readonly process?: { readonly versions?: { readonly node?: string } };
}

/** The runtime's name in a sentence; undefined on Node, and on Bun and Deno, which have what Node has. */
export function edgeRuntime(host: Host = globalThis): string | undefined {
  if (host.navigator?.userAgent === "Cloudflare-Workers") return "Cloudflare Workers";
  if (typeof host.EdgeRuntime === "string") return "an edge runtime";
  return host.process?.versions?.node === undefined ? "a runtime without Node" : undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of the process; empty without a process, as on Workers, whose settings come with each request. */
export function environment(): Environment {
  const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
  return process?.env ?? {};
}

/**
 * Whether the author probably reads the log: advice about a tool's code is only for the author. An edge runtime does not
 * say that it is deployed.
 */
export function isDevelopment(): boolean {
  return edgeRuntime() === undefined && environment()["NODE_ENV"] !== "production";
}
