import { createHash } from "node:crypto";
import { checkContract } from "../../engine/call/check-options.ts";
import type { ContractOptions, ConfigSource } from "../../engine/settings/contract-options.ts";
import { type ContractState, createState } from "../../engine/call/contract-state.ts";
import { listenToScope } from "../../engine/call/call-scope.ts";
import type { CodeSettings } from "../../engine/settings/decide-tool.ts";
import type { ConfigPart } from "../../engine/settings/log-config.ts";
import { SettingsResolver } from "../../engine/settings/settings-resolver.ts";
import { leavesIn } from "../../engine/settings/table-leaves.ts";
import { retrieveNameFor } from "../../core/contract/wire-names.ts";
import type { GatewayOptions, UpstreamOptions } from "./gateway-options.ts";
import type { LoadedConfig } from "../../engine/settings/resolve-config.ts";
import type { Settings } from "../../engine/settings/settings.ts";
import type { ConfigWatch } from "../../engine/settings/watch-config.ts";

/** The gateway's defaults: as little change as possible to results of servers that it does not own. */
const defaults = {
  dialect: "auto",
  profile: "minimal",
  budget: { tokens: 8_000 },
  fit: { strategy: "auto" },
} as const;

/**
 * On stdio a client has one gateway for each server, often in one flat list of tools, so the retrieval tool is prefixed
 * with the server's name. Over HTTP an address of the gateway is as long-lived as its tools' names.
 */
function doorDefaults(name: string, { http, upstreams }: GatewayOptions): CodeSettings {
  // Several servers on stdio are one server with one retrieval tool.
  return http === undefined && name !== "" && Object.keys(upstreams).length <= 1
    ? { ...defaults, retrieve: { name: retrieveNameFor(name) } }
    : defaults;
}

/** The options of a contract that a gateway has, and an upstream; `fit` and the settings of tools are merged apart. */
const contractKeys = [
  ...leavesIn("upstream").map(({ names: [name = ""] }) => name),
  "rateLimit",
  "redact",
].filter((name) => name !== "fit" && name !== "tools");

const gatewayKeys = ["logger", "logLevel", "logForm", "cursorKeys", "requestIds", "now"] as const;

type Given = Readonly<Record<string, unknown>>;

/** The options that were given; the contract's own options do not allow `undefined`. */
function given(options: object, keys: readonly string[]): Given {
  const all = options as Given;
  return Object.fromEntries(keys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]]])));
}

const HASH_DIGITS = 32;

/**
 * The owner of the archive that a client on stdin uses: this user's clients that put the gateway in front of the same
 * server share it. The name of the command alone would mix the files of two folders, or the issues of two accounts.
 */
export function localTenant(upstream: UpstreamOptions): string {
  const identity =
    upstream.url !== undefined
      ? [upstream.url, upstream.headers ?? {}]
      : [upstream.command, upstream.args ?? [], upstream.env ?? {}, upstream.cwd ?? ""];
  const hash = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  return `local:${hash.slice(0, HASH_DIGITS)}`;
}

/** The contract options of one upstream: its own override the gateway's. */
function contractOptionsFor(
  name: string,
  upstream: UpstreamOptions,
  gateway: GatewayOptions,
): ContractOptions {
  const tenant = localTenant(upstream);
  return {
    ...given(gateway, [...contractKeys, ...gatewayKeys, "store"]),
    ...given(upstream, contractKeys),
    ...given(gateway.http ?? {}, ["trustProxy"]),
    ...(gateway.config === undefined ? {} : { config: upstreamConfig(gateway.config, name) }),
    // Clients that state their own limit get no more than that.
    fit: { clientLimits: true, ...gateway.fit, ...upstream.fit },
    toolSettings: { ...gateway.toolSettings, ...upstream.toolSettings },
    name,
    // Over HTTP the caller's proof decides: the verified subject, a token's hash, or the session.
    tenant: ({ isHttp }) => (isHttp === true ? undefined : tenant),
  };
}

/** The settings for results of one upstream, for display only. */
export function settingsFor(
  name: string,
  upstream: UpstreamOptions,
  gateway: GatewayOptions,
): SettingsResolver {
  return new SettingsResolver(contractOptionsFor(name, upstream, gateway), {
    doorDefaults: doorDefaults(name, gateway),
  });
}

/** Everything that outlives connections to one upstream: settings, store, limits, and facts about its tools. */
export function contractFor(name: string, upstream: UpstreamOptions, gateway: GatewayOptions): ContractState {
  listenToScope();
  const state = createState(contractOptionsFor(name, upstream, gateway), {
    defaults: doorDefaults(name, gateway),
    hidden: upstream.hide,
    sharesLocal: gateway.http === undefined,
  });
  checkContract(state);
  return state;
}

/** The settings of one upstream; the general settings of the file if the upstream has none. */
function settingsOf({ settings, gateway }: LoadedConfig, name: string): Settings {
  const own = gateway?.settings ?? {};
  return (Object.hasOwn(own, name) ? own[name] : undefined) ?? settings;
}

/** What was said of a configuration, by any of its upstreams. */
const saidOf = new WeakMap<ConfigWatch, Set<string>>();

class UpstreamConfig implements ConfigPart {
  readonly said: Set<string>;
  readonly #whole: ConfigWatch;
  readonly #name: string;
  #seen: LoadedConfig | undefined;
  #current: LoadedConfig | undefined;

  constructor(whole: ConfigWatch, name: string) {
    this.#whole = whole;
    this.#name = name;
    this.said = saidOf.get(whole) ?? new Set();
    saidOf.set(whole, this.said);
  }

  /** The same object until the file changes: values computed from the settings are cached by this object. */
  get current(): LoadedConfig {
    const { current } = this.#whole;
    if (this.#seen === current && this.#current !== undefined) return this.#current;
    this.#seen = current;
    this.#current = { ...current, settings: settingsOf(current, this.#name) };
    return this.#current;
  }

  onChange(listener: Parameters<ConfigWatch["onChange"]>[0]): () => void {
    return this.#whole.onChange(() => listener(this.current));
  }

  /** The gateway reports a problem of its file once, not once for each upstream. */
  onProblem(): () => void {
    return () => undefined;
  }

  /** Only the opener of the source may close its watch. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** The configuration as one upstream sees it. A change of the file takes effect with the next call. */
function upstreamConfig(source: ConfigSource, name: string): ConfigSource {
  return "current" in source ? new UpstreamConfig(source, name) : source;
}
