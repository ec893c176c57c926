import { withoutUndefined } from "../../core/json/json-value.ts";
import * as z from "zod/mini";
import { dashboardTable, httpTable, mergeTable, reachTable } from "../../engine/settings/gateway-table.ts";
import { codeShape } from "../../engine/settings/kind-schemas.ts";
import { type Within, ledgerChoices } from "../../engine/settings/table-types.ts";
import type { DashboardOptions } from "./dashboard/dashboard-parts.ts";
import { contractKinds, upstreamKinds } from "../../engine/call/check-options.ts";
import { checkOptions, refuseOptions } from "../../core/options/check-options.ts";
import type { Problem } from "../../core/options/explain-issues.ts";
import {
  callback,
  choice,
  judged,
  list,
  named,
  object,
  optionsOf,
  text,
} from "../../core/options/option-kinds.ts";
import { renamingProblem } from "../../engine/session/tool-names.ts";
import {
  dashboardProblems,
  gatewayAuth,
  oauthOf,
  publicAddressProblems,
  upstreamAuth,
} from "./auth/auth-options.ts";
import type {
  CommandUpstream,
  GatewayOptions,
  HttpOptions,
  MergeOptions,
  UpstreamAuth,
  UrlUpstream,
} from "./gateway-options.ts";

const common = { ...upstreamKinds, auth: upstreamAuth };

type OfUrl = Exclude<Within<typeof reachTable, "byUrl">, Within<typeof reachTable, "byCommand">>;
type OfCommand = Exclude<Within<typeof reachTable, "byCommand">, Within<typeof reachTable, "byUrl">>;

const commandUpstream = optionsOf<Omit<CommandUpstream, OfUrl>>({
  ...common,
  ...codeShape(reachTable, "byCommand"),
});

const urlUpstream = optionsOf<Omit<UrlUpstream, OfCommand>>({
  ...common,
  ...codeShape(reachTable, "byUrl"),
  url: judged(problemOfUrl),
  headers: named(judged(problemOfHeader)),
});

function problemOfUrl(value: unknown): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return undefined;
  return "is not the address of a server: write one that begins with https:// or http://.";
}

/** The value is not shown, because it may be a key. */
function problemOfHeader(value: unknown): string | undefined {
  if (typeof value !== "string") return "is not a text.";
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? undefined : "has characters that no header can carry.";
}

const http = optionsOf<HttpOptions>({
  ...codeShape(httpTable, "file"),
  trustProxy: contractKinds.trustProxy,
});

const dashboard = optionsOf<DashboardOptions>({
  ...codeShape(dashboardTable, "file"),
  auth: gatewayAuth,
  check: callback,
});

/** The name becomes part of the upstream's path. */
const upstreamName = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

const gatewayOptions = optionsOf<GatewayOptions>({
  ...upstreamKinds,
  store: contractKinds.store,
  logger: contractKinds.logger,
  logLevel: contractKinds.logLevel,
  logForm: contractKinds.logForm,
  config: contractKinds.config,
  cursorKeys: contractKinds.cursorKeys,
  requestIds: contractKinds.requestIds,
  now: contractKinds.now,
  // Each upstream is checked by its kind: a command or a URL.
  upstreams: named(named(z.unknown())),
  http,
  merge: optionsOf<MergeOptions>(codeShape(mergeTable, "file")),
  endpoints: named(list(text)),
  dashboard,
  accessLog: judged((value) =>
    typeof value === "function" || (typeof value === "string" && value !== "")
      ? undefined
      : 'is neither a path nor "-" nor a function.',
  ),
  ledger: choice(ledgerChoices),
});

const owner = "createGateway";

function problem(path: readonly string[], message: string): Problem {
  return { path, part: "value", message };
}

function upstreamProblems(
  name: string,
  options: Readonly<Record<string, unknown>>,
  isHttp: boolean,
): Problem[] {
  const path = ["upstreams", name];
  const shown = `"upstreams.${name}"`;
  if (!upstreamName.test(name))
    return [
      problem(
        path,
        `${shown} cannot be part of an address. Name it with letters, digits, dots, dashes and underscores, 64 at most.`,
      ),
    ];
  const isCommand = options["command"] !== undefined;
  if (isCommand === (options["url"] !== undefined))
    return [
      problem(
        path,
        `${shown} has ${isCommand ? "both" : "neither"} "command" ${isCommand ? "and" : "nor"} "url". Give one of them: how its server is started, or where it is.`,
      ),
    ];
  checkOptions(owner, object({ upstreams: named(isCommand ? commandUpstream : urlUpstream) }), {
    // The type allows keys of the other kind to be present without a value.
    upstreams: { [name]: withoutUndefined(options) },
  });
  const renamed = renamingProblem((options["renameTools"] ?? {}) as Readonly<Record<string, string>>);
  if (renamed !== undefined)
    return [problem([...path, "renameTools"], `"renameTools" of ${shown} cannot be used: ${renamed}`)];
  const given = options["auth"];
  if (given === "passthrough" && isCommand)
    return [
      problem(
        [...path, "auth"],
        `"auth" of ${shown} is "passthrough", but a command takes no token. Use { gateway: … } or "none".`,
      ),
    ];
  const oauth = oauthProblem(given as UpstreamAuth | undefined, isCommand, isHttp);
  if (oauth !== undefined) return [problem([...path, "auth"], `"auth" of ${shown} ${oauth}`)];
  const isOAuthAlone = oauthOf(given as UpstreamAuth | undefined) !== undefined;
  if (given !== undefined && given !== "none" && !isHttp && !isOAuthAlone)
    return [
      problem(
        [...path, "auth"],
        `"auth" of ${shown} has no effect on stdio: the client started this process itself. Leave it out, or give "http".`,
      ),
    ];
  return [];
}

/** Tokens belong to a person: over HTTP to a caller that the gateway has checked, on stdio to the user. */
function oauthProblem(
  auth: UpstreamAuth | undefined,
  isCommand: boolean,
  isHttp: boolean,
): string | undefined {
  if (oauthOf(auth) === undefined) return undefined;
  if (isCommand)
    return "signs in with OAuth, but a command gets no HTTP request. Only a url can be signed in to.";
  const checksCallers = typeof auth === "object" && auth.gateway !== undefined;
  if (isHttp && !checksCallers)
    return "signs in with OAuth, but the gateway does not check who calls: all callers would share one user's tokens. Give { gateway: { tokens or jwt }, oauth: true }.";
  if (!isHttp && checksCallers)
    return 'has no effect on stdio: the client started this process itself. Write "oauth" alone, or give "http".';
  return undefined;
}

/** Each group has a name of its own, and servers that there are. */
function endpointProblems({ upstreams, endpoints = {} }: GatewayOptions): Problem[] {
  return Object.entries(endpoints).flatMap(([name, servers]) => {
    const path = ["endpoints", name];
    const shown = `"endpoints.${name}"`;
    const say = (message: string): Problem[] => [problem(path, `${shown} ${message}`)];
    if (!upstreamName.test(name))
      return say(
        "cannot be part of an address. Name it with letters, digits, dots, dashes and underscores, 64 at most.",
      );
    if (Object.hasOwn(upstreams, name))
      return say("has the name of an upstream, which is at the same address. Give it another name.");
    if (servers.length === 0) return say("names no upstream. Name at least one.");
    const unknown = servers.find((server) => !Object.hasOwn(upstreams, server));
    if (unknown !== undefined)
      return say(
        `names ${JSON.stringify(unknown)}, which is no upstream. Name some of: ${Object.keys(upstreams).join(", ")}.`,
      );
    if (new Set(servers).size < servers.length) return say("names an upstream twice. Name it once.");
    const passing = servers.find((server) => upstreams[server]?.auth === "passthrough");
    if (passing === undefined) return [];
    return say(
      `names ${JSON.stringify(passing)}, whose "auth" is "passthrough": a caller's own token must not reach several servers. Leave it out, or give it { gateway: … }.`,
    );
  });
}

/** Refuses wrong options before any process is started. */
export function checkGatewayOptions(options: GatewayOptions): void {
  checkOptions(owner, gatewayOptions, options);
  const upstreams = Object.entries(options.upstreams ?? {});
  const isHttp = options.http !== undefined;
  const problems = upstreams.flatMap(([name, upstream]) =>
    upstreamProblems(name, upstream as unknown as Readonly<Record<string, unknown>>, isHttp),
  );
  if (upstreams.length === 0)
    problems.push(
      problem(["upstreams"], '"upstreams" names no server. Give at least one: { files: { command, args } }.'),
    );
  problems.push(...endpointProblems(options));
  problems.push(...publicAddressProblems(options), ...dashboardProblems(options));
  if (problems.length > 0) refuseOptions(owner, problems);
}
