import { invalidConfig, type ConfigProblem } from "../../../engine/settings/config-problem.ts";
import type {
  DashboardSection,
  HttpSection,
  UpstreamSection,
} from "../../../engine/settings/config-schema.ts";
import { dashboardTable, httpTable, reachTable } from "../../../engine/settings/gateway-table.ts";
import {
  type SettingGroup,
  type Row,
  type SettingsTable,
  snake,
} from "../../../engine/settings/table-types.ts";
import type { Environment } from "../../../engine/settings/read-environment.ts";
import type { LoadedConfig } from "../../../engine/settings/resolve-config.ts";
import { setOwn, withoutUndefined } from "../../../core/json/json-value.ts";
import { formatPath } from "../../../core/options/explain-issues.ts";
import type { DashboardOptions } from "../dashboard/dashboard-parts.ts";
import type { JwtAuth } from "../../../engine/request/sign-in/bearer-auth.ts";
import type {
  GatewayAuth,
  GatewayOptions,
  HttpOptions,
  OAuthOptions,
  UpstreamAuth,
  UpstreamOptions,
} from "../gateway-options.ts";
import { isDeepStrictEqual } from "node:util";
import type { ConfigWatch } from "../../../engine/settings/watch-config.ts";
import { ContractError } from "../../../core/contract/contract-error.ts";
import type { ConfigSource } from "../../../engine/settings/contract-options.ts";
import type { Log } from "../../../engine/observe/log-event.ts";

/** The options that a file gives to `createGateway`. */
export interface GatewayFile {
  readonly upstreams: Readonly<Record<string, UpstreamOptions>>;
  readonly http: HttpOptions | undefined;
  readonly dashboard: DashboardOptions | undefined;
  readonly merge?: GatewayOptions["merge"];
  readonly endpoints?: GatewayOptions["endpoints"];
}

type Report = (path: readonly string[], message: string) => void;

const variable = /\$\{([A-Za-z_]\w*)\}/g;

/** Replaces references to environment variables in a text; an unset variable is reported, not left out. */
function fillIn(
  texts: Readonly<Record<string, string>> | undefined,
  environment: Environment,
  report: Report,
): Record<string, string> | undefined {
  if (texts === undefined) return undefined;
  const filled: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const value = text.replace(variable, (_all, wanted: string) => {
      const found = environment[wanted];
      if (found === undefined || found === "")
        report([name], `The variable ${wanted} is not set. Set it, or write the value here.`);
      return found ?? "";
    });
    setOwn(filled, name, value);
  }
  return filled;
}

function toGatewayAuth(
  { tokens, jwt }: Exclude<Exclude<UpstreamSection["auth"], string | undefined>["gateway"], undefined>,
  environment: Environment,
  report: Report,
): GatewayAuth {
  const { jwks_url: jwksUrl, issuer = "", audience = "", ...rest } = jwt ?? {};
  return {
    tokens: fillIn(tokens, environment, (path, message) => report(["tokens", ...path], message)),
    // The options check decides whether they are valid; here only the names of the keys change.
    jwt: jwt && ({ jwksUrl, issuer, audience, ...rest } as JwtAuth),
  };
}

function toAuth(
  auth: UpstreamSection["auth"],
  environment: Environment,
  report: Report,
): UpstreamAuth | undefined {
  if (typeof auth !== "object") return auth;
  const within =
    (key: string): Report =>
    (path, message) =>
      report(["auth", key, ...path], message);
  const oauth = auth.oauth && toOAuth(auth.oauth, environment, within("oauth"));
  if (auth.gateway !== undefined)
    return { gateway: toGatewayAuth(auth.gateway, environment, within("gateway")), ...(oauth && { oauth }) };
  if (oauth !== undefined) return oauth === true ? "oauth" : { oauth };
  report(["auth"], 'It checks no caller. Write "none", "passthrough", "oauth", or { "gateway": { … } }.');
  return undefined;
}

type OAuthSection = NonNullable<Exclude<UpstreamSection["auth"], string | undefined>["oauth"]>;

function toOAuth(section: OAuthSection, environment: Environment, report: Report): true | OAuthOptions {
  if (section === true) return true;
  const texts = Object.entries(section).filter(([, text]) => text !== undefined);
  const filled = fillIn(Object.fromEntries(texts) as Record<string, string>, environment, report) ?? {};
  return withoutUndefined({
    clientId: filled["client_id"],
    clientSecret: filled["client_secret"],
    clientMetadataUrl: filled["client_metadata_url"],
    scope: filled["scope"],
  });
}

/** The keys of a server that is started. */
const commandKeys = Object.entries<Row | SettingGroup>(reachTable)
  .filter(([name, row]) => name !== "command" && "byCommand" in row && !("byUrl" in row))
  .map(([name]) => snake(name) as keyof UpstreamSection);

/** A server is reached by a command or a URL; settings for the other kind would be ignored silently. */
function checkReach(name: string, section: UpstreamSection, report: Report): void {
  const { command, url } = section;
  if (command === undefined && url === undefined)
    report([], `It is not said how to reach ${name}. Give command, or url.`);
  if (command !== undefined && url !== undefined)
    report(["url"], `${name} has both command and url. Keep the one by which it is reached.`);
  if (url === undefined && section.headers !== undefined)
    report(["headers"], "Only a server with a url is sent headers. Remove them.");
  if (url === undefined) return;
  for (const key of commandKeys)
    if (section[key] !== undefined)
      report([key], `A server with a url is not started, so ${key} has no effect. Remove it.`);
}

function toUpstream(
  name: string,
  section: UpstreamSection,
  environment: Environment,
  report: Report,
): UpstreamOptions {
  checkReach(formatPath(["upstreams", name]), section, report);
  const limit = section.rate_limit;
  const within =
    (key: string): Report =>
    (path, message) =>
      report([key, ...path], message);
  return withoutUndefined({
    ...inWordsOfCode(reachTable, section),
    ...(section.url === undefined ? { command: section.command ?? "" } : {}),
    auth: toAuth(section.auth, environment, report),
    env: fillIn(section.env, environment, within("env")),
    headers: fillIn(section.headers, environment, within("headers")),
    rateLimit: limit && { limit: limit.limit ?? 0, periodSeconds: limit.period_seconds ?? 0 },
  }) as UpstreamOptions;
}

/** The keys of a table, with their names in code. */
function inWordsOfCode(table: SettingsTable, section: object): Readonly<Record<string, unknown>> {
  const values = section as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.keys(table).map((name) => [name, values[snake(name)]]));
}

function toHttp(section: HttpSection | undefined): HttpOptions | undefined {
  return section && withoutUndefined(inWordsOfCode(httpTable, section));
}

function toDashboard(
  section: DashboardSection | undefined,
  environment: Environment,
  report: Report,
): DashboardOptions | undefined {
  if (section === undefined) return undefined;
  const within: Report = (path, message) => report(["auth", ...path], message);
  const auth = section.auth && toGatewayAuth(section.auth, environment, within);
  return withoutUndefined({ ...inWordsOfCode(dashboardTable, section), auth });
}

/** The position of a problem: of the key itself, or of the nearest setting in the file below or above it. */
function placeOf({ origins }: LoadedConfig, path: readonly string[]): ConfigProblem["place"] {
  for (let length = path.length; length > 0; length--) {
    const start = formatPath(path.slice(0, length));
    const found = Object.entries(origins).find(
      ([at]) => at === start || at.startsWith(`${start}.`) || at.startsWith(`${start}[`),
    );
    if (found?.[1].where !== undefined) return { file: found[1].where };
  }
  return { file: "the configuration" };
}

/** The servers and the address in a loaded file; invalid ones are an INVALID_CONFIG error with their position. */
export function readGatewayConfig(loaded: LoadedConfig, environment: Environment = process.env): GatewayFile {
  const problems: ConfigProblem[] = [];
  const upstreams: Record<string, UpstreamOptions> = {};
  const reportAt =
    (...at: readonly string[]): Report =>
    (below, message) => {
      const path = [...at, ...below];
      problems.push({ place: placeOf(loaded, path), path: formatPath(path), message });
    };
  for (const [name, section] of Object.entries(loaded.gateway?.upstreams ?? {}))
    setOwn(upstreams, name, toUpstream(name, section, environment, reportAt("upstreams", name)));
  const dashboard = toDashboard(loaded.gateway?.dashboard, environment, reportAt("dashboard"));
  if (problems.length > 0) throw invalidConfig(problems);
  const { http, merge, endpoints } = loaded.gateway ?? {};
  return { upstreams, http: toHttp(http), dashboard, ...withoutUndefined({ merge, endpoints }) };
}

export interface FollowOptions {
  /** Switches to the upstreams of the file; throws if one of them cannot be used. */
  readonly apply: (file: GatewayFile) => void;
  readonly log: Log;
}

function isWatch(config: ConfigSource): config is ConfigWatch {
  return "current" in config && "onChange" in config;
}

/**
 * Applies each change of a file to a running gateway. An edit that cannot be used changes nothing and is logged; a
 * change that needs a restart is logged. Returns a function that stops following.
 */
export function followGatewayFile(config: ConfigSource | undefined, options: FollowOptions): () => void {
  if (config === undefined || !isWatch(config)) return () => undefined;
  const { apply, log } = options;
  const { http, dashboard } = config.current.gateway ?? {};
  const take = (loaded: LoadedConfig): void => {
    // A file without servers does not affect servers that code or the command line named.
    if (loaded.gateway === undefined) return;
    try {
      const file = readGatewayConfig(loaded);
      if (!isDeepStrictEqual(loaded.gateway.http, http))
        log.warn("config-waits-for-restart", { hint: "Restart the gateway to apply the changed http." });
      if (!isDeepStrictEqual(loaded.gateway.dashboard, dashboard))
        log.warn("config-waits-for-restart", {
          hint: "Restart the gateway to apply the changed dashboard.",
        });
      apply(file);
    } catch (error) {
      const problem = ContractError.isInstance(error) ? error.message : "An upstream could not be started.";
      log.error("config-problem", { problem, err: error });
    }
  };
  const stopChanges = config.onChange(take);
  const stopProblems = config.onProblem((error) => log.error("config-problem", { problem: error.message }));
  return () => {
    stopChanges();
    stopProblems();
  };
}
