// What a client is told so that it can sign in: where a server's metadata (RFC 9728) is, what the metadata says, and the
// challenges (RFC 6750) that lead there.

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** The path of the server whose metadata is requested; undefined for every other path. */
export function describedPath(path: string): string | undefined {
  return path.startsWith(`${WELL_KNOWN}/`) ? path.slice(WELL_KNOWN.length) : undefined;
}

/** The address that a client calls, as the client sees it. */
export interface CalledAddress {
  readonly origin: string;
  readonly path: string;
}

/** The scheme that the client used, which a server behind a proxy of its operator knows from the proxy alone. */
export function calledScheme(forwarded: string | null | undefined, isBehindProxy: boolean): "http" | "https" {
  return isBehindProxy && forwarded?.split(",")[0]?.trim() === "https" ? "https" : "http";
}

/** Where the metadata of a server is, which clients refuse for any other address. */
export function metadataAddress({ origin, path }: CalledAddress): string {
  return `${origin}${WELL_KNOWN}${path}`;
}

/** What the metadata of a server of one's own is made of. */
export interface ResourceFacts {
  /** The issuer of the tokens that the server takes. */
  readonly issuer: string;
  /** The scopes that some of its tools need. */
  readonly scopes: readonly string[];
  /** The name that people see. */
  readonly name: string | undefined;
}

/** The metadata of a server at an address. */
export function resourceMetadata({ origin, path }: CalledAddress, facts: ResourceFacts): object {
  const { issuer, scopes, name } = facts;
  return {
    resource: `${origin}${path}`,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    ...(scopes.length === 0 ? {} : { scopes_supported: scopes }),
    ...(name === undefined ? {} : { resource_name: name }),
  };
}

/** A challenge with further parameters; a value that would end its quotes loses those characters. */
export function withParameters(
  challenge: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const [, bare = challenge, given = ""] = /^(\S+) ?(.*)$/s.exec(challenge) ?? [];
  const own = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(/[^ !#-[\]-~]/g, "")}"`],
  );
  const all = [...(given === "" ? [] : [given]), ...own].join(", ");
  return all === "" ? bare : `${bare} ${all}`;
}
