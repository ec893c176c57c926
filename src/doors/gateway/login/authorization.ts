// The conversation with an authorization server, on the SDK's functions: where it is, who we are to it, a request for a
// person's consent, and tokens. Nothing of it is logged, and no text of the server's becomes an error of ours.

import {
  type AuthorizationServerMetadata,
  type OAuthClientInformationMixed,
  type OAuthTokens,
  RegistrationRejectedError,
  buildDiscoveryUrls,
  checkResourceAllowed,
  computeScopeUnion,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  isHttpsUrl,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { randomBytes } from "node:crypto";
import { jsonObjectIn } from "../../../core/json/json-value.ts";
import { type GuardedFetch, checkPlace } from "./guarded-fetch.ts";
import { SignInError, noTokens, signInError } from "./sign-in-error.ts";
import type { Login, LoginClient, LoginKey, LoginTokens } from "./login.ts";

/** Who we are to the authorization server, if the user has decided that. */
export interface OwnClient {
  readonly id?: string | undefined;
  readonly secret?: string | undefined;
  /** The address of a client-id metadata document: a client id that needs no registration. */
  readonly metadataUrl?: string | undefined;
  readonly scope?: string | undefined;
}

/** What the server said when it refused a request. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
}

export interface AttemptPlan {
  readonly key: LoginKey;
  readonly challenge: Challenge;
  readonly own: OwnClient;
  readonly previous: Login | undefined;
  readonly redirectUri: string;
  readonly fetch: GuardedFetch;
}

/** A sign-in that waits for a person. */
export interface Attempt {
  /** Where the person consents. */
  readonly address: URL;
  readonly state: string;
  /** Takes the parameters with which the browser came back; their state is checked already. */
  readonly finish: (returned: URLSearchParams) => Promise<Login>;
}

/** Finds the authorization server, and prepares a request for consent. */
export async function beginSignIn(plan: AttemptPlan): Promise<Attempt> {
  try {
    return await begin(plan);
  } catch (error) {
    throw signInError(error);
  }
}

async function begin({ key, challenge, own, previous, redirectUri, fetch }: AttemptPlan): Promise<Attempt> {
  const found = await discoverOAuthServerInfo(key.url, {
    ...(challenge.resourceMetadataUrl === undefined
      ? {}
      : { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    fetchFn: fetch,
  });
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = found;
  if (metadata === undefined)
    throw new SignInError("no-metadata", "The server publishes no metadata about how one signs in to it");
  const { issuer } = metadata;
  const resource = resourceMetadata?.resource;
  if (
    resource !== undefined &&
    !checkResourceAllowed({ requestedResource: key.url, configuredResource: resource })
  )
    throw new SignInError("other-resource", "The server's metadata are about another server");
  const known = previous?.issuer === issuer ? previous : undefined;
  const scope = chooseScope(
    own.scope,
    challenge.scope,
    resourceMetadata?.scopes_supported,
    known?.scope,
    metadata,
  );
  const client = await findClient({ own, known: known?.client, metadata, redirectUri, scope, fetch });
  const state = randomBytes(24).toString("base64url");
  const { authorizationUrl: address, codeVerifier } = await startAuthorization(authorizationServerUrl, {
    metadata,
    clientInformation: informationOf(client),
    redirectUrl: redirectUri,
    state,
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  });
  await checkForBrowsers(address, key.url);
  const finish = async (returned: URLSearchParams): Promise<Login> => {
    const { code, iss } = readReturn(returned, metadata);
    const given = await exchangeAuthorization(authorizationServerUrl, {
      metadata,
      clientInformation: informationOf(client),
      authorizationCode: code,
      ...(iss === undefined ? {} : { iss }),
      codeVerifier,
      redirectUri,
      fetchFn: fetch,
      ...(resource === undefined ? {} : { resource }),
    }).catch((error: unknown) => {
      throw signInError(error, noTokens);
    });
    const tokens = tokensOf(given, scope);
    return { ...key, authorizationServer: authorizationServerUrl, issuer, resource, scope, client, tokens };
  };
  return { address, state, finish };
}

/** What the server asked for comes before what it knows; what was granted before is not given up. */
function chooseScope(
  own: string | undefined,
  challenged: string | undefined,
  supported: readonly string[] | undefined,
  before: string | undefined,
  { scopes_supported: known = [] }: AuthorizationServerMetadata,
): string | undefined {
  const asked = own ?? challenged ?? supported?.join(" ");
  const scope = computeScopeUnion(asked, challenged, before);
  if (scope === undefined || !known.includes("offline_access")) return scope;
  return computeScopeUnion(scope, "offline_access");
}

/** A browser must not be sent to a file, a script or another program, nor to a place where the server may not point. */
async function checkForBrowsers(address: URL, serverUrl: string): Promise<void> {
  if (address.protocol !== "http:" && address.protocol !== "https:")
    throw new SignInError(
      "bad-address",
      "The authorization server names an address that no browser may open",
    );
  await checkPlace(serverUrl, address);
}

interface ClientPlan extends Pick<AttemptPlan, "own" | "redirectUri" | "fetch"> {
  readonly known: LoginClient | undefined;
  readonly metadata: AuthorizationServerMetadata;
  readonly scope: string | undefined;
}

/** A client id of the user's own, the one from before, a document, or a new registration, in this order. */
async function findClient({
  own,
  known,
  metadata,
  redirectUri,
  scope,
  fetch,
}: ClientPlan): Promise<LoginClient> {
  if (own.id !== undefined) return { id: own.id, secret: own.secret, redirectUri, isRegistered: false };
  if (known !== undefined && isUsable(known, redirectUri)) return known;
  const { metadataUrl } = own;
  if (metadataUrl !== undefined && !isHttpsUrl(metadataUrl))
    throw new SignInError(
      "no-client",
      "The address of the client's metadata is not one of https with a path",
    );
  if (metadataUrl !== undefined && metadata.client_id_metadata_document_supported === true)
    return { id: metadataUrl, redirectUri, isRegistered: false };
  if (metadata.registration_endpoint === undefined)
    throw new SignInError(
      "no-client",
      "The authorization server registers no clients by itself: register one there, and give its id with --client-id",
    );
  const clientMetadata = {
    client_name: "Waybill gateway",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  };
  const register = (scoped: { readonly scope?: string }) =>
    registerClient(metadata.issuer, { metadata, clientMetadata, fetchFn: fetch, ...scoped });
  // Some refuse a client that names the scopes of a resource: it then gets what they give to all.
  const registered = await register(scope === undefined ? {} : { scope }).catch((error: unknown) => {
    if (scope === undefined || !RegistrationRejectedError.isInstance(error)) throw error;
    return register({});
  });
  return {
    id: registered.client_id,
    secret: registered.client_secret,
    secretExpiresAt: registered.client_secret_expires_at,
    authMethod: registered.token_endpoint_auth_method,
    redirectUri,
    isRegistered: true,
  };
}

/** A registration holds for its own redirect, and until its secret expires. */
function isUsable(
  { isRegistered, redirectUri: registered, secretExpiresAt = 0 }: LoginClient,
  redirectUri: string,
) {
  if (secretExpiresAt > 0 && secretExpiresAt * 1_000 < Date.now()) return false;
  return !isRegistered || registered === redirectUri;
}

function informationOf({ id, secret, authMethod }: LoginClient): OAuthClientInformationMixed {
  return {
    client_id: id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    ...(authMethod === undefined ? {} : { token_endpoint_auth_method: authMethod }),
  };
}

/** The code in the parameters with which a browser came back. What an error says there is never repeated. */
function readReturn(
  returned: URLSearchParams,
  metadata: AuthorizationServerMetadata,
): { readonly code: string; readonly iss: string | undefined } {
  const iss = returned.get("iss") ?? undefined;
  validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata.issuer,
    issParameterSupported: metadata.authorization_response_iss_parameter_supported === true,
  });
  const code = returned.get("code");
  if (code !== null && code !== "") return { code, iss };
  const isDenied = returned.get("error") === "access_denied";
  throw new SignInError(
    isDenied ? "denied" : "no-code",
    isDenied ? "The sign-in was declined" : "The authorization server gave no consent",
  );
}

function tokensOf(given: OAuthTokens, asked: string | undefined): LoginTokens {
  if (!/^bearer$/i.test(given.token_type))
    throw new SignInError(
      "other-tokens",
      "The authorization server gives tokens of another kind than Bearer",
    );
  // It becomes a header: nothing but what RFC 6750 allows in it.
  if (!/^[\x21-\x7e]{1,65536}$/.test(given.access_token))
    throw new SignInError("other-tokens", "The authorization server gave a token that no header can carry");
  const gotAtMs = Date.now();
  const { expires_in: seconds } = given;
  const lives = seconds !== undefined && Number.isFinite(seconds) && seconds >= 0;
  return {
    access: given.access_token,
    refresh: given.refresh_token,
    scope: given.scope ?? asked,
    expiresAtMs: lives ? gotAtMs + seconds * 1_000 : undefined,
    gotAtMs,
  };
}

/** The login with fresh tokens. A SignInError with reason "refused": the refresh token is not valid any more. */
export async function refreshLogin(login: Login, fetch: GuardedFetch): Promise<Login> {
  const { tokens, resource, client } = login;
  if (tokens?.refresh === undefined) throw new SignInError("refused", "There is no refresh token");
  try {
    const metadata = await sameServer(login, fetch);
    const given = await refreshAuthorization(login.authorizationServer, {
      metadata,
      clientInformation: informationOf(client),
      refreshToken: tokens.refresh,
      fetchFn: fetch,
      ...(resource === undefined ? {} : { resource }),
    }).catch((error: unknown) => {
      throw signInError(error, noTokens);
    });
    return { ...login, tokens: tokensOf(given, tokens.scope) };
  } catch (error) {
    throw signInError(error);
  }
}

/** The metadata as they are today; a refresh token goes only to the server that issued it. */
async function sameServer(login: Login, fetch: GuardedFetch): Promise<AuthorizationServerMetadata> {
  const metadata = await discoverAuthorizationServerMetadata(login.authorizationServer, { fetchFn: fetch });
  if (metadata === undefined)
    throw new SignInError("no-metadata", "The authorization server publishes no metadata any more");
  if (metadata.issuer !== login.issuer)
    throw new SignInError("other-issuer", "The authorization server is another one than at the sign-in");
  return metadata;
}

/** Tells the authorization server that the tokens are not needed any more (RFC 7009). False if it takes no revocation. */
export async function revokeLogin(login: Login, fetch: GuardedFetch): Promise<boolean> {
  const { tokens, client } = login;
  const token = tokens?.refresh ?? tokens?.access;
  if (token === undefined) return true;
  try {
    const metadata = await sameServer(login, fetch);
    const endpoint = await revocationEndpoint(login, fetch);
    if (endpoint === undefined) return false;
    const hint = tokens?.refresh === token ? "refresh_token" : "access_token";
    const body = new URLSearchParams({ token, token_type_hint: hint });
    const methods = metadata.token_endpoint_auth_methods_supported ?? [];
    const method = selectClientAuthMethod(informationOf(client), methods);
    const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
    if (method === "client_secret_basic")
      headers.set(
        "authorization",
        `Basic ${Buffer.from(`${client.id}:${client.secret ?? ""}`).toString("base64")}`,
      );
    else body.set("client_id", client.id);
    if (method === "client_secret_post") body.set("client_secret", client.secret ?? "");
    return (await fetch(endpoint, { method: "POST", headers, body })).ok;
  } catch {
    return false;
  }
}

/** The SDK drops this member of metadata that are found under the name of OpenID. */
async function revocationEndpoint(
  { authorizationServer, issuer }: Login,
  fetch: GuardedFetch,
): Promise<string | undefined> {
  for (const { url } of buildDiscoveryUrls(authorizationServer)) {
    const answer = await fetch(url, { headers: { accept: "application/json" } });
    const metadata = answer.ok ? jsonObjectIn(await answer.text()) : undefined;
    if (metadata === undefined) continue;
    const { revocation_endpoint: endpoint } = metadata;
    return metadata["issuer"] === issuer && typeof endpoint === "string" ? endpoint : undefined;
  }
  return undefined;
}
