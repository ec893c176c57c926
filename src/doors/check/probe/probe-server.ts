// The order of a check: greet, list twice, call the tools that may be called, send a few wrong messages, and record
// everything. The probe does not judge.

import type {
  ServerRecord,
  ToolRecord,
  ToolListing,
  RecordedReply,
  ExchangePurpose,
  CallRecord,
} from "../../../core/rules/server-record.ts";
import type { CheckOptions, CheckProgress } from "../check-options.ts";
import {
  type Caller,
  archivesOf,
  callTool,
  cancel,
  isGood,
  repeat,
  retrieveOmitted,
  turnPages,
} from "./call-tool.ts";
import { exchangeHttp } from "./http-exchanges.ts";
import type { Way, LiveServer } from "./live-server.ts";
import { reasons, type NotCalled, lacksArguments } from "../report/check-report.ts";
import { type JsonObject, isJsonObject, type JsonValue } from "../../../core/json/json-value.ts";
import type { McpAnswer } from "../../../engine/transport/mcp-client.ts";
import { readReply } from "./recorder.ts";
import type { JudgeTools } from "../../../core/rules/server-rule.ts";
import type { Limits } from "../check-settings.ts";
import { planArguments } from "./arguments/plan-arguments.ts";

const UNKNOWN_TOOL = "waybill_check_no_such_tool";
/** The slowest tools are the ones that users would cancel. */
const MAX_CANCELLED = 3;

export interface Probe extends Caller {
  readonly way: Way;
  readonly options: ProbeOptions;
  readonly dialect: CheckOptions["dialect"];
  /** Why the check ended before its plan was done; undefined while it continues. */
  readonly stopped: () => string | undefined;
  readonly tell: (progress: Omit<CheckProgress, "elapsedMs">) => void;
}

async function probeTools(probe: Probe, listed: readonly ToolRecord[]): Promise<readonly ToolRecord[]> {
  const { server, options, tell } = probe;
  const chosen = listed.filter((tool) => reasonAgainst(tool, options) === undefined);
  const probed = new Set(chosen.slice(0, options.limits.tools));
  const tools: ToolRecord[] = [];
  let done = 0;
  for (const tool of listed) {
    const over = probe.stopped() ?? server.gone;
    let against: Against | undefined =
      reasonAgainst(tool, options) ??
      (probed.has(tool) ? undefined : reasons.tooMany) ??
      (over === undefined ? undefined : { because: over });
    if (against === undefined) {
      tell({ phase: "probe", tool: tool.name, done, planned: probed.size });
      against = await probeTool(probe, tool, listed, options);
      done += 1;
    }
    tools.push({ ...tool, notProbed: against?.because, remedy: against?.remedy });
  }
  return tools;
}

/** Repeats and cancels the first good call of each of the slowest tools. */
async function cancelSome(probe: Probe, tools: readonly ToolRecord[]): Promise<void> {
  // A tool that changes something is not called more often than the user asked for.
  const harmless = tools.filter(({ isReadOnly }) => isReadOnly || probe.options.all === true);
  const first = harmless.flatMap(
    ({ name }) => probe.recorder.calls.find((call) => call.tool === name && isGood(call)) ?? [],
  );
  const slowest = first.toSorted((one, other) => other.durationMs - one.durationMs);
  for (const call of slowest.slice(0, MAX_CANCELLED)) await cancel(probe, call, probe.options.limits.callMs);
}

type Seen = Pick<ServerRecord, "listings" | "tools" | "exchanges" | "http" | "archiveReads">;

/** Statuses of HTTP, in a connection of their own. */
async function lookBelow({ way, server, isOver }: Probe): Promise<ServerRecord["http"]> {
  const target = way.openHttp?.();
  if (target === undefined) return undefined;
  const { era } = server;
  try {
    return await exchangeHttp(target, { era, isOver, timeoutMs: () => server.timeoutMs });
  } finally {
    target.close();
  }
}

async function lookAround(probe: Probe): Promise<Seen> {
  const { way, options, tell, countTokens } = probe;
  const { listPages } = options.limits;
  tell({ phase: "list", done: 0, planned: 2 });
  const first = await walkList(probe, listPages);
  tell({ phase: "list", done: 1, planned: 2 });
  const listings = [first, await walkList(probe, listPages)];
  const tools = await probeTools(probe, toolsIn(first, countTokens));
  if (options.definitionsOnly === true) return { listings, tools, exchanges: [] };
  await callTool(probe, { tool: UNKNOWN_TOOL, purpose: "unknown-tool", arguments: {} });
  await cancelSome(probe, tools);
  const exchanges = await exchangeAll(probe, way);
  const http = await lookBelow(probe);
  return {
    listings,
    tools,
    exchanges,
    http,
    archiveReads: probe.server.hasResources ? probe.reads : undefined,
  };
}

/** Probes a started server. */
export async function probeServer(probe: Probe, hasStarted: boolean): Promise<ServerRecord> {
  const { way, server, recorder, dialect } = probe;
  const seen = hasStarted ? await lookAround(probe) : { listings: [], tools: [], exchanges: [] };
  return {
    target: way.name,
    transport: way.transport,
    era: server.era,
    protocolVersion: server.protocolVersion,
    greeting: server.greeting,
    ...seen,
    calls: recorder.calls,
    problems: recorder.problems,
    messages: recorder.messages,
    dialect,
  };
}

/** Walks all pages of `tools/list`. A repeated cursor, or more pages than allowed, ends the walk. */
async function walkList({ server, isOver }: Caller, maxPages: number): Promise<ToolListing> {
  const pages: { readonly cursor: string | undefined; readonly reply: RecordedReply }[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const { reply } = await server.ask("tools/list", cursor === undefined ? {} : { cursor });
    // The check ended, not the list.
    if (reply.kind !== "result" && isOver()) return { pages, isCut: true };
    pages.push({ cursor, reply });
    const next = reply.kind === "result" ? reply.result["nextCursor"] : undefined;
    if (typeof next !== "string") return { pages, isCut: false };
    if (seen.has(next) || pages.length >= maxPages) return { pages, isCut: true };
    seen.add(next);
    cursor = next;
  }
}

function isReadOnly({ annotations }: JsonObject): boolean {
  return isJsonObject(annotations) && annotations["readOnlyHint"] === true;
}

/** The tools of a walk, each name once. */
function toolsIn({ pages }: ToolListing, countTokens: (text: string) => number): readonly ToolRecord[] {
  const tools = new Map<string, ToolRecord>();
  for (const { reply } of pages) {
    const listed = reply.kind === "result" ? reply.result["tools"] : undefined;
    for (const definition of Array.isArray(listed) ? listed : []) {
      const name: unknown = isJsonObject(definition) ? definition["name"] : undefined;
      if (!isJsonObject(definition) || typeof name !== "string" || tools.has(name)) continue;
      const tokens = countTokens(JSON.stringify(definition));
      tools.set(name, { name, definition, tokens, isReadOnly: isReadOnly(definition) });
    }
  }
  return [...tools.values()];
}

// Messages besides lists and calls, to see how the server follows the protocol.

type Exchange = ServerRecord["exchanges"][number];

/** Not JSON, but it begins like a message: this also tests servers that look only at the first characters. */
const BROKEN_LINE = '{"jsonrpc":"2.0","id":"waybill-check-broken","method":"tools/list","params":{';
const STRING_ID = "waybill-check-é-1";

function exchange(
  purpose: ExchangePurpose,
  request: JsonValue,
  { reply, response }: Pick<McpAnswer, "reply" | "response">,
): Exchange {
  return { purpose, request, reply, response };
}

async function asked(
  server: LiveServer,
  purpose: ExchangePurpose,
  method: string,
  params: JsonObject = {},
  id?: string,
): Promise<Exchange> {
  return exchange(
    purpose,
    { method, params, ...(id === undefined ? {} : { id }) },
    await server.ask(method, params, id),
  );
}

/** An unknown notification, then a request: an answer to the notification would come before the request's answer. */
async function unknownNotification(server: LiveServer): Promise<Exchange> {
  const message = { jsonrpc: "2.0", method: "notifications/waybill-check-unknown" };
  const { heard } = await server.sendLine(JSON.stringify(message));
  return exchange("unknown-notification", message, answerOf(heard));
}

function answerOf(heard: JsonObject | undefined): Pick<McpAnswer, "reply" | "response"> {
  const reply = heard === undefined ? ({ kind: "timeout", afterMs: 0 } as const) : readReply(heard);
  return { reply, response: heard };
}

/** All exchanges, the potentially harmful one last. Exchanges that the end of the check cut off are left out. */
async function exchangeAll(
  { server, isOver }: Caller,
  { transport }: { readonly transport: "stdio" | "http" },
): Promise<readonly Exchange[]> {
  const steps: (() => Promise<readonly Exchange[]>)[] = [
    async () => (server.era === "legacy" ? [await asked(server, "ping", "ping")] : []),
    async () => [await asked(server, "string-id", "tools/list", {}, STRING_ID)],
    async () => [await asked(server, "unknown-method", "waybill-check/no-such-method")],
    async () => [await asked(server, "bad-cursor", "tools/list", { cursor: "waybill-check-no-such-cursor" })],
  ];
  // Over HTTP each message is its own request: no answer to these could arrive in place of another.
  if (transport === "stdio")
    steps.push(
      async () => [await unknownNotification(server)],
      () => brokenLine(server),
    );
  const done: Exchange[] = [];
  for (const step of steps) {
    if (isOver()) break;
    const exchanges = await step();
    if (!isOver()) done.push(...exchanges);
  }
  return done;
}

async function brokenLine(server: LiveServer): Promise<readonly Exchange[]> {
  const { heard, next } = await server.sendLine(BROKEN_LINE);
  return [
    exchange("broken-json", BROKEN_LINE, answerOf(heard)),
    exchange("after-broken-json", { method: "tools/list" }, next),
  ];
}

/** After this many unanswered calls a tool is not called again: the rest of the server matters more. */
const MAX_FAILURES = 2;

interface ProbeOptions extends Pick<CheckOptions, "all" | "args" | "only" | "definitionsOnly"> {
  readonly seed: number;
  readonly limits: Limits;
  readonly validate: JudgeTools["validate"];
}

/** The user's own arguments for a tool. */
function givenFor(name: string, args: CheckOptions["args"] = {}): readonly JsonObject[] {
  const given = Object.hasOwn(args, name) ? args[name] : undefined;
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given as JsonObject];
}

/** Why a tool is not called, and which option would call it. */
type Against = Omit<NotCalled, "tools">;

/** Undefined if the tool is called. */
function reasonAgainst(
  { name, definition, isReadOnly }: ToolRecord,
  { all, args, only, definitionsOnly }: ProbeOptions,
): Against | undefined {
  if (definitionsOnly === true) return reasons.definitionsOnly;
  if (only !== undefined && !only.includes(name)) return reasons.notChosen;
  const { execution } = definition;
  if (isJsonObject(execution) && execution["taskSupport"] === "required") return reasons.onlyTask;
  if (isReadOnly || all === true || givenFor(name, args).length > 0) return undefined;
  return reasons.notReadOnly;
}

/** Calls one tool as planned. Returns why it could not be called, or ended early; undefined if all went as planned. */
async function probeTool(
  caller: Caller,
  tool: ToolRecord,
  tools: readonly ToolRecord[],
  options: ProbeOptions,
): Promise<Against | undefined> {
  const { name, definition } = tool;
  const { seed, limits, validate, args } = options;
  const plan = await planArguments({
    name,
    inputSchema: definition["inputSchema"],
    given: givenFor(name, args),
    mayMake: tool.isReadOnly || options.all === true,
    seed,
    // The repeated call is one of them.
    maxCalls: Math.max(1, limits.callsPerTool - 1),
    validate,
  });
  if (plan.problem !== undefined) return lacksArguments(plan.problem);
  let failures = 0;
  let first: CallRecord | undefined;
  let hasTurned = false;
  for (const planned of plan.calls) {
    // A tool that took too long once will do so again, but it may still refuse bad arguments at once.
    if (failures > 0 && planned.purpose !== "invalid") continue;
    const call = await callTool(caller, { tool: name, ...planned });
    if (call === undefined) return undefined;
    const isAnswered = call.reply.kind === "result" || call.reply.kind === "error";
    failures += isAnswered ? 0 : 1;
    if (failures >= MAX_FAILURES) return undefined;
    if (planned.purpose === "invalid" || !isGood(call)) continue;
    // A tool that changes something may rightly answer differently the second time.
    if (first === undefined && tool.isReadOnly) await repeat(caller, call);
    first ??= call;
    hasTurned ||= await turnPages(caller, call, tool);
  }
  for (const call of cutOf(caller.recorder.calls, name)) await retrieveOmitted(caller, call, tools);
  return undefined;
}

/** The first few answers of a tool that name archives. */
function cutOf(calls: readonly CallRecord[], name: string): readonly CallRecord[] {
  const own = calls.filter(({ tool, purpose }) => tool === name && purpose !== "retrieve");
  return own.filter((call) => isGood(call) && archivesOf(call).length > 0).slice(0, 2);
}
