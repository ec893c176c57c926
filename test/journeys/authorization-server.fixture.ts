// A real authorization server on loopback, and what plays a person with a browser in front of it.

import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

export interface AuthorizationServerOptions {
  /** The address of the MCP server that tokens are for. */
  readonly resource: () => string;
  readonly accessSeconds: number;
  /** What an access token is: a name that only this server understands (the default), or a JSON Web Token. */
  readonly tokens?: "opaque" | "jwt" | undefined;
  /** The scopes of the resource. Default: read and write. */
  readonly scope?: string | undefined;
  readonly refreshSeconds?: number | undefined;
  /** Clients that exist already, in the words of registration. */
  readonly clients?: readonly object[] | undefined;
  /** A person signs in and consents on its own pages, with any name and password. Default: ada does at once. */
  readonly hasPages?: boolean | undefined;
  /** Answers a request in its place; false leaves it to the server. */
  readonly before?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
}

export interface AuthorizationServer {
  readonly origin: string;
  readonly provider: Provider;
  /** Every code, verifier, token and client secret that it gave or got. */
  readonly secrets: ReadonlySet<string>;
  /** What it was asked, as `POST /token refresh_token`. */
  readonly asked: readonly string[];
  /** Access tokens of a grant, and its refresh tokens, are worth nothing any more. */
  revoke(accessToken: string): Promise<void>;
  close(): Promise<void>;
}

const secretNames = [
  "code",
  "code_verifier",
  "refresh_token",
  "access_token",
  "token",
  "client_secret",
  "registration_access_token",
];

export async function startAuthorizationServer(
  options: AuthorizationServerOptions,
): Promise<AuthorizationServer> {
  const { resource, accessSeconds, refreshSeconds = 3_600, clients = [], before } = options;
  const { tokens = "opaque", scope = "read write", hasPages = false } = options;
  /** A client may register with them only if the server knows them. */
  const ownScopes = ["openid", "offline_access", ...(options.scope?.split(" ") ?? [])];
  const secrets = new Set<string>();
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(origin, {
    clients,
    cookies: { keys: ["journeys"] },
    scopes: ownScopes,
    features: {
      devInteractions: { enabled: hasPages },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope,
          audience: resource(),
          accessTokenTTL: accessSeconds,
          accessTokenFormat: tokens,
        }),
      },
    },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    ttl: {
      AccessToken: accessSeconds,
      RefreshToken: refreshSeconds,
      AuthorizationCode: 60,
      Grant: 86_400,
      Interaction: 600,
      Session: 86_400,
    },
    ...(hasPages ? {} : { interactions: { url: interactionPath } }),
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  const note = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, text] of Object.entries(value))
      if (secretNames.includes(name) && typeof text === "string") secrets.add(text);
  };
  provider.use(async (context, next) => {
    await next();
    note(context.oidc?.body);
    note(context.body);
    const grant = context.oidc?.body?.["grant_type"];
    asked.push(`${context.path}${typeof grant === "string" ? ` ${grant}` : ""}`);
  });
  const callback = provider.callback();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (before?.(request, response) === true) return;
    if (hasPages || request.url?.startsWith("/interaction/") !== true) return callback(request, response);
    await consent(provider, { resource: resource(), ownScopes }, request, response);
  };
  return {
    origin,
    provider,
    secrets,
    asked,
    revoke: async (accessToken) => {
      const token = await provider.AccessToken.find(accessToken);
      if (token === undefined) throw new Error("There is no such token");
      await provider.AccessToken.revokeByGrantId(token.grantId);
      await provider.RefreshToken.revokeByGrantId(token.grantId);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

function interactionPath(_context: unknown, { uid }: { readonly uid: string }): string {
  return `/interaction/${uid}`;
}

/** A person who signs in as ada and consents to all that is asked. */
async function consent(
  provider: Provider,
  { resource, ownScopes }: { readonly resource: string; readonly ownScopes: readonly string[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: "ada", clientId: params["client_id"] ?? "" });
  grant.addOIDCScope(ownScopes.join(" "));
  grant.addResourceScope(
    resource,
    (params["scope"] ?? "").replace(/\b(?:openid|offline_access)\b/g, "").trim(),
  );
  const grantId = await grant.save();
  await provider.interactionFinished(
    request,
    response,
    { login: { accountId: "ada" }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  );
}

export interface Visit {
  readonly status: number;
  readonly text: string;
  /** All addresses, the first one included. */
  readonly addresses: readonly string[];
}

/** A browser that follows every redirect and keeps cookies; `stopAt` is an address that it shows, but does not open. */
export async function browse(address: string, stopAt?: (address: string) => boolean): Promise<Visit> {
  const cookies = new Map<string, string>();
  const addresses: string[] = [];
  let next = address;
  for (let hops = 0; hops < 20; hops++) {
    addresses.push(next);
    if (stopAt?.(next) === true) return { status: 0, text: "", addresses };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(next, { redirect: "manual", headers: cookie === "" ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    const text = await response.text();
    if (location === null) return { status: response.status, text, addresses };
    next = new URL(location, next).href;
  }
  throw new Error("Too many redirects");
}
