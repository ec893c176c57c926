import { setOwn } from "../../core/json/json-value.ts";
import { type ConfigProblem, invalidConfig } from "./config-problem.ts";
import { type HttpSection, type UpstreamSection, type WaybillConfig, policyKeys } from "./config-schema.ts";
import type { Entry } from "./entry.ts";
import type { Settings } from "./settings.ts";

/** The gateway part of a config file. */
export interface GatewayConfig {
  readonly http: HttpSection | undefined;
  /** How each server is reached, in the words of the file and without its policy. */
  readonly upstreams: Readonly<Record<string, UpstreamSection>>;
  /** The settings of each server: the general ones, overridden by its own policy. */
  readonly settings: Readonly<Record<string, Settings>>;
}

const isPolicy = (key: string | undefined): boolean => policyKeys.some((known) => known === key);

/** The policy of one server, with paths as if it were at the top of the file. */
function policyOf(name: string, entries: readonly Entry[]): Entry[] {
  return entries
    .filter(({ path }) => path[0] === "upstreams" && path[1] === name && isPolicy(path[2]))
    .map((entry) => ({ ...entry, path: entry.path.slice(2) }));
}

function withoutPolicy(section: UpstreamSection): UpstreamSection {
  return Object.fromEntries(Object.entries(section).filter(([key]) => !isPolicy(key)));
}

/** Resolves the settings of one server and reports its problems. */
type Settle = (
  own: readonly Entry[],
  at: readonly string[],
) => { readonly settings: Settings; readonly problems: readonly ConfigProblem[] };

/** The gateway that the entries of the file describe; undefined if they describe none. */
export function resolveGateway(
  { upstreams, http }: Pick<WaybillConfig, "upstreams" | "http">,
  entries: readonly Entry[],
  settle: Settle,
): GatewayConfig | undefined {
  if (upstreams === undefined && http === undefined) return undefined;
  const sections: Record<string, UpstreamSection> = {};
  const settings: Record<string, Settings> = {};
  const problems: ConfigProblem[] = [];
  for (const [name, section] of Object.entries(upstreams ?? {})) {
    const settled = settle(policyOf(name, entries), ["upstreams", name]);
    problems.push(...settled.problems);
    setOwn(sections, name, withoutPolicy(section));
    setOwn(settings, name, settled.settings);
  }
  if (problems.length > 0) throw invalidConfig(problems);
  return { http, upstreams: sections, settings };
}

/** True for values that may hold secrets: listings of settings never show them. */
export function isSecretPlace([top, , key, ...rest]: readonly string[]): boolean {
  if (top !== "upstreams") return false;
  return key === "env" || key === "headers" || (key === "auth" && rest[1] === "tokens");
}
