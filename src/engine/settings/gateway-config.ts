import { setOwn } from "../../core/json/json-value.ts";
import { type ConfigProblem, invalidConfig } from "./config-problem.ts";
import { type WaybillConfig, policyKeys } from "./config-schema.ts";
import type { Entry } from "./entry.ts";
import type { Settings } from "./settings.ts";

export type UpstreamSection = NonNullable<WaybillConfig["upstreams"]>[string];
export type HttpSection = NonNullable<WaybillConfig["http"]>;

/** What a file says of a gateway. */
export interface GatewayConfig {
  readonly http: HttpSection | undefined;
  /** How each server is reached, in the words of the file and without its policy. */
  readonly upstreams: Readonly<Record<string, UpstreamSection>>;
  /** The settings of each server: the general ones with its own policy over them. */
  readonly settings: Readonly<Record<string, Settings>>;
}

const isPolicy = (key: string | undefined): boolean => policyKeys.some((known) => known === key);

/** The policy of one server, as if it stood at the top of the file. */
function policyOf(name: string, entries: readonly Entry[]): Entry[] {
  return entries
    .filter(({ path }) => path[0] === "upstreams" && path[1] === name && isPolicy(path[2]))
    .map((entry) => ({ ...entry, path: entry.path.slice(2) }));
}

function withoutPolicy(section: UpstreamSection): UpstreamSection {
  return Object.fromEntries(Object.entries(section).filter(([key]) => !isPolicy(key)));
}

/** What is settled for one server, and what is wrong with it. */
type Settle = (
  own: readonly Entry[],
  at: readonly string[],
) => { readonly settings: Settings; readonly problems: readonly ConfigProblem[] };

/** What the entries of the file say of a gateway; undefined where they say nothing. */
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

/** Whether a value is nobody's business who asks where a setting comes from. */
export function isSecretPlace([top, , key, ...rest]: readonly string[]): boolean {
  if (top !== "upstreams") return false;
  return key === "env" || key === "headers" || (key === "auth" && rest[1] === "tokens");
}
