// Turns the findings of a check into the configuration of a gateway that repairs them, as far as a gateway can.

import type { DialectId } from "../../../core/contract/dialect-id.ts";
import { ContractError } from "../../../core/contract/contract-error.ts";
import { type JsonValue, isJsonObject, setOwn } from "../../../core/json/json-value.ts";
import type { CheckTarget } from "../check-options.ts";
import type { CheckFinding, CheckReport, ToolOutcome } from "../report/check-report.ts";
import {
  type Policy,
  type PolicyGap,
  type PolicySetting,
  type RuleCount,
  writePolicy,
  writeStrictPolicy,
} from "./write-policy.ts";
import {
  type PolicyFacts,
  type Remedy,
  type Repair,
  asResult,
  forClient,
  because,
  canBeNamed,
  cut,
  envelope,
  hide,
  inDialect,
  itself,
  mask,
  gatewayReach,
  textOnly,
} from "./remedies.ts";

/** The name becomes part of the upstream's path over HTTP. */
function upstreamName({ server }: CheckReport): string {
  const plain = (server?.name ?? "")
    .replaceAll(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 64)
    .replace(/-+$/, "");
  return plain === "" ? "server" : plain;
}

interface Draft extends Pick<Repair, "path"> {
  value: JsonValue;
  readonly effects: Set<string>;
  readonly counts: Map<string, number>;
}

/** Joins two values of one setting: lists are merged without duplicates, objects by key. */
function join(old: JsonValue, next: JsonValue): JsonValue {
  if (Array.isArray(old) && Array.isArray(next))
    return [...new Set([...(old as readonly JsonValue[]), ...(next as readonly JsonValue[])])];
  if (isJsonObject(old) && isJsonObject(next)) return { ...old, ...next };
  return next;
}

function countUp(counts: Map<string, number>, rule: string): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
}

function toCounts(counts: ReadonlyMap<string, number>): readonly RuleCount[] {
  return [...counts].map(([rule, findings]) => ({ rule, findings }));
}

interface DraftGap {
  readonly why: string;
  readonly rule: string;
  readonly tools: Set<string>;
  findings: number;
}

class Drafts {
  readonly #report: CheckReport;
  readonly #facts: PolicyFacts;
  readonly #settings = new Map<string, Draft>();
  readonly #gaps = new Map<string, DraftGap>();

  constructor(report: CheckReport, facts: PolicyFacts) {
    this.#report = report;
    this.#facts = facts;
  }

  add(finding: CheckFinding): void {
    const remedy = remedyFor(finding.rule)(finding, this.#facts);
    if (typeof remedy === "string") return this.#addGap(finding, remedy);
    for (const repair of remedy) this.#addSetting(finding, repair);
    return undefined;
  }

  /** What was learnt of a tool repairs more than one finding shows: every failure that begins so. */
  learn({ name, failureStart }: ToolOutcome): void {
    if (failureStart === undefined || !canBeNamed(name)) return;
    const key = JSON.stringify(["tools", name]);
    const draft: Draft = this.#settings.get(key) ?? {
      path: ["tools", name],
      value: {},
      effects: new Set(),
      counts: new Map(),
    };
    draft.effects.add("A result that begins so has failed, although the server does not mark it.");
    draft.value = join(draft.value, { failures: { starts_with: [failureStart] } });
    this.#settings.set(key, draft);
  }

  #addSetting({ rule }: CheckFinding, { path, value, effect }: Repair): void {
    const key = JSON.stringify(path);
    const fresh = { path, value, effects: new Set<string>(), counts: new Map<string, number>() };
    const draft: Draft = this.#settings.get(key) ?? fresh;
    draft.effects.add(effect);
    draft.value = join(draft.value, value);
    countUp(draft.counts, rule);
    this.#settings.set(key, draft);
  }

  #addGap({ rule, tool }: CheckFinding, why: string): void {
    const key = JSON.stringify([rule, why]);
    const gap = this.#gaps.get(key) ?? { rule, why, tools: new Set<string>(), findings: 0 };
    // The check also calls invented tools, which must be refused; they are not tools of the server.
    const isListed = this.#report.tools.some(({ name }) => name === tool);
    if (tool !== undefined && isListed) gap.tools.add(tool);
    gap.findings += 1;
    this.#gaps.set(key, gap);
  }

  /** Settings of the whole server come before those of single tools. */
  settings(): readonly PolicySetting[] {
    const all = [...this.#settings.values()].map(({ path, value, effects, counts }) => ({
      path,
      value,
      effect: [...effects].join(" "),
      repairs: toCounts(counts),
    }));
    const ofTools = all.filter(({ path }) => path.length > 1);
    return [...all.filter(({ path }) => path.length <= 1), ...ofTools];
  }

  gaps(): readonly PolicyGap[] {
    return [...this.#gaps.values()].map(({ tools, ...gap }) => ({ ...gap, tools: [...tools] }));
  }
}

/** Sets a value at its path, and creates objects on the way. A repair that every gateway makes has no path. */
function put(section: Record<string, JsonValue>, { path, value }: PolicySetting): void {
  if (path.length === 0) return;
  let at = section;
  for (const key of path.slice(0, -1)) {
    if (!Object.hasOwn(at, key)) setOwn(at, key, {});
    at = at[key] as Record<string, JsonValue>;
  }
  setOwn(at, path.at(-1) ?? "", value);
}

/** Hidden tools are not listed any more, so nothing else has to be set for them. */
function withoutHidden(settings: readonly PolicySetting[]): readonly PolicySetting[] {
  const hidden = settings.find(({ path }) => path[0] === "hide")?.value;
  const names: readonly JsonValue[] = Array.isArray(hidden) ? hidden : [];
  return settings.filter(({ path }) => path[0] !== "tools" || !names.includes(path[1] ?? ""));
}

export interface PolicyOptions {
  /** The dialect that the check asked for: the gateway then writes every result in this dialect. Default: auto. */
  readonly dialect?: DialectId | undefined;
  /** The client that the policy is for, by its id in the table of readers. Default: recognised by its name. */
  readonly reader?: string | undefined;
}

/**
 * The gateway's configuration for the server of a report, as the check reached it. Findings that a baseline knows count
 * too, because they can still be repaired.
 */
export function createPolicy(report: CheckReport, target: CheckTarget, options: PolicyOptions = {}): Policy {
  const reach = gatewayReach(target);
  if (reach === undefined)
    throw new ContractError(
      "INVALID_OPTION",
      "createPolicy: a server in memory has no command and no URL that a gateway could use. Give a target with one.",
      { option: "target" },
    );
  const drafts = new Drafts(report, { dialect: options.dialect, reader: options.reader });
  for (const finding of report.findings) drafts.add(finding);
  for (const tool of report.tools) drafts.learn(tool);
  const settings = withoutHidden(drafts.settings());
  const { reader } = options;
  const section: Record<string, JsonValue> = {
    ...reach.section,
    ...(reader === undefined ? {} : { reader }),
  };
  for (const setting of settings) put(section, setting);
  const name = upstreamName(report);
  const gaps = drafts.gaps();
  const left = gaps.reduce((sum, { findings }) => sum + findings, 0);
  const repaired = report.findings.length - left;
  const policy = { name, settings, gaps, repaired, config: { upstreams: { [name]: section } } };
  return {
    ...policy,
    text: writePolicy(policy, reach, report),
    strictText: writeStrictPolicy(policy, reach, report),
  };
}

// Which setting of the gateway removes a finding, by the id of its rule. A setting is listed only if a test proves it:
// the server that breaks the rule no longer breaks it behind a gateway with the policy.

const ownEnvelope = inDialect(
  "The server writes this envelope itself, and a success that fits is sent as the bytes it came in.",
);

const ownFailure = because("A failure that the server wrote as an envelope keeps its own words.");

const remedies: Readonly<Record<string, Remedy>> = {
  "protocol/stray-output": itself,
  "protocol/broken-json": itself,
  "protocol/broken-json-code": itself,
  "protocol/died": itself,
  "jsonrpc/object": itself,
  "jsonrpc/batch-empty": itself,
  "jsonrpc/method": itself,
  "jsonrpc/id-missing": itself,
  "jsonrpc/id-type": itself,
  "jsonrpc/id-null": itself,
  "jsonrpc/id-mismatch": itself,
  "jsonrpc/notification-answered": itself,
  "call/survives": itself,
  "call/cancel": itself,
  "call/time-limit": because(
    "Only the server can answer sooner. call_timeout_ms would answer for it with TIMEOUT, and lose what comes later.",
  ),
  "call/deterministic": because("Only the server knows which of its values are live and which are noise."),
  "arguments/invalid-protocol-error": asResult,
  "error/as-protocol-error": asResult,
  "error/remediation": ownFailure,
  "error/code-case": ownFailure,
  "error/type-known": ownFailure,
  "error/code-type": ownFailure,
  "error/retry-after": ownFailure,
  "envelope/error-type": envelope,
  "envelope/error-message": envelope,
  "draft/error-data": envelope,
  "v1/error-text": envelope,
  "scalpel/error": envelope,
  "scalpel/error-details": envelope,
  "scalpel/code-case": envelope,
  "scalpel/code-known": envelope,
  "drf/error-prefix": envelope,
  "result/is-error": envelope,
  "result/is-error-missing": envelope,
  "error/leaks-secret": mask,
  "error/leaks-stack": because("The gateway masks secrets, and keeps the other words of a failure."),
  "error/leaks-code": because(
    "The gateway masks secrets, and keeps the other words of a failure; in the dialect scalpel alone it leaves code out.",
  ),
  "error/leaks-path": because("The gateway masks secrets, and keeps the other words of a failure."),
  "result/output-schema": textOnly,
  "result/structured-missing": textOnly,
  "result/output-schema-on-error": envelope,
  "result/channels-repeat": because(
    "Clients differ in which channel they show their model, so the gateway sends both as the server wrote them.",
  ),
  "result/text-only-facts": forClient("The gateway sends both channels as the server wrote them."),
  "result/indented-json": because(
    'A success that fits is sent as it came. The dialect response-v2 writes it densely, inside an envelope: set it under "tools" if that is welcome.',
  ),
  "size/client-bytes": because(
    "Clients that take less get less, by their name: every gateway has fit.client_limits. A check is not such a client, so it finds the same again.",
  ),
};

/** For rules without their own entry: why the gateway does not change what their group is about. */
const groups: Readonly<Record<string, Remedy>> = {
  json: because("The gateway sends a result that fits as the bytes it came in."),
  jsonrpc: because("Only the server can write its own messages."),
  initialize: because("The client and the server greet each other, through the gateway."),
  protocol: because("The client and the server speak the protocol with each other, through the gateway."),
  modern: because("The client and the server speak the protocol with each other, through the gateway."),
  "http-status": because(
    "The gateway answers its own clients by these rules; to the server it speaks as any client does.",
  ),
  input: because("Only the server decides what it asks for."),
  list: because("The gateway lists tools as the server does, in its order and its pages."),
  "tools-list": hide,
  definition: hide,
  author: because("Only the author of a tool can change how it is written."),
  envelope: ownEnvelope,
  data: ownEnvelope,
  warning: ownEnvelope,
  pagination: ownEnvelope,
  "rate-limit": ownEnvelope,
  telemetry: ownEnvelope,
  batch: ownEnvelope,
  draft: ownEnvelope,
  v1: ownEnvelope,
  scalpel: ownEnvelope,
  drf: ownEnvelope,
  result: inDialect("The gateway sends a success that fits as the bytes it came in."),
  truth: envelope,
  error: envelope,
  arguments: because("The gateway does not judge arguments; it hands them to the server as they are."),
  tool: because("The gateway hands the name of an unknown tool to the server, which answers."),
  paging: because("Pages and their cursors are the server's own."),
  size: cut,
  reader: forClient(
    "The gateway does so for clients that it knows by their names; --reader names the client that the policy is for.",
  ),
  call: because("Only the server can change how its tools work."),
  meta: inDialect("Keys of _meta are passed on as they are, in both directions."),
  fidelity: because("Only the server knows what it left out of its own results."),
};

const unknown = because("No setting of the gateway is known to repair it.");

function remedyFor(rule: string): Remedy {
  const [group = ""] = rule.split("/");
  return remedies[rule] ?? groups[group] ?? unknown;
}
