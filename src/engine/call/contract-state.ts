import type { CursorKeys } from "../retrieve/cursor/cursor-options.ts";
import { type Log, createLog } from "../observe/log-event.ts";
import { type Redactor, createRedactor } from "../../core/text/redact/redact-secrets.ts";
import { edgeRuntime, environment, isDevelopment } from "../runtime/edge-runtime.ts";
import type { authorAdvice } from "./author-advice.ts";
import { isNumbered, RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import type { ContractOptions, FitOptions } from "../settings/contract-options.ts";
import { ArchiveAccess } from "./archive-access.ts";
import {
  type AnswerListener,
  CallEvents,
  callPrinterListener,
  openTelemetryListener,
} from "./call-events.ts";
import type { CodeSettings } from "../settings/decide-tool.ts";
import { SettingsResolver } from "../settings/settings-resolver.ts";
import { GuardSet, type Namesakes, namesakesOf } from "../guards/guard-set.ts";
import { QuestionWorkers } from "./question-workers.ts";
import type { StickyChoices } from "./server-tool.ts";
import { byteLength } from "../runtime/byte-length.ts";
import { type Encoding, type TokenCounter, loadCounter } from "../../core/tokens/token-counter.ts";
import { builtIn } from "../runtime/built-in.ts";
import type { Failure } from "../../core/contract/outcome.ts";
import type { PipelineContext, ScalePicture } from "../../core/pipeline/pipeline-context.ts";
import type { ToolDefinition } from "../settings/tool-definition.ts";
import type { ToolSchemas } from "./tool-schemas.ts";
import type { CalledTool } from "./called-tool.ts";

type AuthorAdvice = ReturnType<typeof authorAdvice>;

/** What is made when it is first used. */
interface KeptState {
  /** What clients negotiated. */
  choices?: StickyChoices;
  /** The tool that gives back what was cut. */
  retrieveTool?: ToolDefinition;
  /** What the sessions of the contract know of its upstream server. */
  upstream?: object;
  /** The tools of this server that were registered or called, by their names. */
  tools?: Map<string, ToolSchemas>;
  /** The number by which another thread knows the contract. */
  number?: number;
}

/** Everything a contract owns. It outlives server objects, which `createMcpHandler` builds for every request. */
export interface ContractState {
  readonly options: ContractOptions;
  readonly effective: SettingsResolver;
  readonly guards: GuardSet;
  readonly events: CallEvents;
  readonly log: Log;
  readonly redactor: Redactor | undefined;
  /** Whether successes, and so archived results, are masked too. */
  readonly masksSuccesses: boolean;
  /** Masks secrets in a text. */
  readonly mask: (text: string) => string;
  readonly kept: KeptState;
  /** The tools of this server as the engine calls them, by their definitions, which authors keep between requests. */
  readonly called: WeakMap<ToolDefinition, CalledTool>;
  /** True the first time for each subject, so that the log does not repeat itself. */
  readonly isNews: (subject: string) => boolean;
  /** What the stages of every call get alike. */
  readonly forStages: Pick<PipelineContext, "mapError" | "redact" | "log">;
  readonly cursorKeys: () => CursorKeys | Promise<CursorKeys>;
  readonly archive: ArchiveAccess;
  /** The name of the retrieval tool. Clients keep a list, so a reload does not change the name. */
  readonly retrieveName: string;
  readonly counter: LazyCounter;
  readonly questions: QuestionWorkers;
  /** Makes what scales the pictures of one result; undefined where nothing can. */
  readonly scalerFor: () => ScalePicture | undefined;
}

function redactorOf({ redact }: ContractOptions): Redactor | undefined {
  if (redact === false) return undefined;
  return createRedactor(typeof redact === "object" ? redact : {});
}

/** Read here too: without a configuration no other code reads it, and the hint below must be true. */
function environmentSecret(): string | undefined {
  const secret = environment()["WAYBILL_SECRET"];
  return secret === undefined || secret.trim() === "" ? undefined : secret;
}

/**
 * The keys that sign cursors, in this order: the operator's keys; the configured secret; a key kept in the
 * store, so that restarts and replicas agree; a key of this process, which no other process accepts.
 */
function cursorKeysOf(
  options: ContractOptions,
  effective: SettingsResolver,
  archive: ArchiveAccess,
  namesakes: Namesakes,
  log: Log,
): ContractState["cursorKeys"] {
  const random = (): string =>
    namesakes.cursorKey(() =>
      log.warn("cursor-key-random", { hint: "Set WAYBILL_SECRET so that cursors outlive this process." }),
    );
  const kept = async (): Promise<string> => {
    try {
      const store = await archive.store();
      return await store.secret("cursor-key");
    } catch (error) {
      log.warn("cursor-key-unreachable", { err: error });
      return random();
    }
  };
  let fromEnvironment: { readonly secret: string | undefined } | undefined;
  return () => {
    // Reading the environment costs more than signing a cursor.
    fromEnvironment ??= { secret: environmentSecret() };
    const given = options.cursorKeys ?? effective.settings.secret?.reveal() ?? fromEnvironment.secret;
    if (given !== undefined) return given;
    return archive.isOn && archive.isLasting ? kept() : random();
  };
}

/** Spans, metrics and the log hear every call from the start; other listeners subscribe later. */
function createEvents(name: string | undefined, log: Log): CallEvents {
  const events = new CallEvents((error) => log.warn("observe-failed", { err: error }));
  events.listen(openTelemetryListener(name));
  const printer = callPrinterListener();
  if (printer !== undefined) events.listen(printer);
  events.listen({
    trouble: ({ event, level, requestId, tool, error, fields }) =>
      log[level](event, {
        request_id: requestId,
        tool,
        ...fields,
        ...(error === undefined ? {} : { err: error }),
      }),
  });
  return events;
}

/** What a door adds to the options. */
export interface Door {
  readonly defaults?: CodeSettings | undefined;
  /** Tools that no list shows, of this server or an upstream server. */
  readonly hidden?: readonly string[] | undefined;
  /**
   * The door's stdio clients belong to one user, who may open by hash or handle what any of the user's
   * servers keeps.
   */
  readonly sharesLocal?: boolean | undefined;
  /** The listeners, if another thread has them. */
  readonly events?: CallEvents | undefined;
  /** What scales pictures. Default: sharp, where it is installed. */
  readonly scalePicture?: ScalePicture | undefined;
}

/** The retrieval tool can be hidden by its name, by its name with a number, or by its usual name. */
function isHidden(retrieveName: string, hidden: readonly string[] = []): boolean {
  return hidden.some((name) => name === RETRIEVE_TOOL || isNumbered(name, retrieveName));
}

export function createState(
  options: ContractOptions,
  { defaults, hidden, sharesLocal = false, events: given, scalePicture }: Door = {},
): ContractState {
  const redactor = redactorOf(options);
  const { logger, logLevel, name } = options;
  const log = createLog({ logger, level: logLevel, redactor });
  sayRuntime(options, log);
  const effective = new SettingsResolver(options, { doorDefaults: defaults, log });
  const { retrieveName } = effective;
  const namesakes = namesakesOf(name);
  const events = given ?? createEvents(name, log);
  const archive = new ArchiveAccess(options, effective, namesakes, log, {
    isOffered: !isHidden(retrieveName, hidden),
    sharesLocal,
  });
  const state: ContractState = {
    options,
    effective,
    guards: new GuardSet(options, () => archive.redis(), namesakes, log),
    events,
    log,
    redactor,
    masksSuccesses: effective.masksSuccesses,
    mask: (text) => redactor?.text(text).text ?? text,
    kept: {},
    called: new WeakMap(),
    isNews: newsJudge(),
    forStages: {
      mapError: (error) => mapError(options, log, error),
      redact: redactor && ((value) => redactor.json(value)),
      log: ({ requestId, tool, error, event = "tool-failed" }) =>
        events.trouble({ event, level: "error", requestId, tool, error }),
    },
    cursorKeys: cursorKeysOf(options, effective, archive, namesakes, log),
    archive,
    retrieveName,
    counter: lazyCounter(options.fit?.counter, log),
    questions: new QuestionWorkers(log),
    scalerFor: () => scalePicture ?? lazyScaler(log),
  };
  if (given === undefined && isDevelopment()) events.onAnswer(adviceListener(state));
  return state;
}

/** Answers that wait for the advice to be loaded; later ones are not looked at. They may have megabytes. */
const MAX_WAITING = 50;

/** Advice for the author of a tool. It is loaded with the first answer that it is for. */
function adviceListener(state: ContractState): AnswerListener {
  let advice: AuthorAdvice | undefined;
  let loading: Promise<AuthorAdvice> | undefined;
  let waiting = 0;
  const load = async (): Promise<AuthorAdvice> => {
    const { authorAdvice } = await import("./author-advice.ts");
    advice = authorAdvice(state);
    return advice;
  };
  const use = (tell: (loaded: AuthorAdvice) => void): void => {
    if (advice !== undefined) return tell(advice);
    if (waiting === MAX_WAITING) return;
    waiting++;
    (loading ??= load())
      .then(tell)
      .catch((error: unknown) => state.log.warn("observe-failed", { err: error }));
  };
  return {
    answered: (call, answered) => use((loaded) => loaded.answered(call, answered)),
    parsed: (call, given, sent) => use((loaded) => loaded.parsed(call, given, sent)),
    formatted: (call, text, data) => use((loaded) => loaded.formatted(call, text, data)),
  };
}

/** The author's own mapping of errors. If the mapping throws, the error stays internal and the log names it. */
function mapError({ mapError: map }: ContractOptions, log: Log, error: unknown): Failure | undefined {
  try {
    return map?.(error)?.toOutcome();
  } catch (failure) {
    log.error("map-error-failed", { err: failure });
    return undefined;
  }
}

/** Further subjects are not told at all: names in them may be made up by callers. */
const MAX_TOLD = 2_000;

function newsJudge(): ContractState["isNews"] {
  const told = new Set<string>();
  return (subject) => {
    if (told.has(subject) || told.size >= MAX_TOLD) return false;
    told.add(subject);
    return true;
  };
}

type LazyCounter = () => TokenCounter | Promise<TokenCounter>;

/** No token is shorter than a byte, so a result whose bytes fit the budget fits it in tokens too. */
function byteBound(encoding: Encoding): TokenCounter {
  return { encoding, count: byteLength };
}

/**
 * The counter, loaded for the first result that may exceed the budget, and then reused. If loading fails, the
 * handler has already run: the answer is cut by the byte bound, so it is shorter than necessary but not lost.
 */
function lazyCounter(chosen: FitOptions["counter"], log: Log): LazyCounter {
  const given = chosen ?? "o200k_base";
  if (typeof given === "object") return () => given;
  let loaded: TokenCounter | undefined;
  let loading: Promise<TokenCounter> | undefined;
  const without = (error: unknown): TokenCounter => {
    log.warn("token-counter-missing", {
      err: error,
      hint: "Budgets count a byte as a token. Install waybill where the server runs, or give fit.counter.",
    });
    return byteBound(typeof given === "string" ? given : "o200k_base");
  };
  const load = async (): Promise<TokenCounter> =>
    typeof given === "function" ? given() : loadCounter(given);
  return () => {
    if (loaded !== undefined) return loaded;
    loading ??= load()
      .catch(without)
      .then((counter) => (loaded = counter));
    return loading;
  };
}

/** Scales the pictures of one result with sharp, which is loaded for the first of them, and which edge runtimes lack. */
function lazyScaler(log: Log): ScalePicture | undefined {
  if (edgeRuntime() !== undefined) return undefined;
  let loading: Promise<ScalePicture> | undefined;
  return async (base64, limits) => {
    loading ??= import("./scale-picture.ts").then(({ pictureScaler }) => pictureScaler(log));
    const scale = await loading.catch(() => undefined);
    return scale?.(base64, limits);
  };
}

// Says once, when the first contract is made, what this runtime lacks. On a server nothing is missing.

interface RuntimeFacts {
  /** Whether the runtime has Node's async scopes. */
  readonly hasScopes: boolean;
  /** Whether all instances use the same cursor keys. */
  readonly hasKeys: boolean;
}

/** The missing parts, each with what happens instead. */
export function missingParts(
  { store, fit }: ContractOptions,
  { hasScopes, hasKeys }: RuntimeFacts,
): string[] {
  const isCounted = typeof fit?.counter === "object" || typeof fit?.counter === "function";
  return [
    "files and Redis: configuration files are not read, fileStore, redisStore and postgresStore are refused",
    "worker threads: questions (select) are not answered",
    ...(store === undefined || (typeof store === "object" && store.kind === "memory")
      ? ["a store that lasts: what is cut is kept in the memory of one instance, until that ends"]
      : []),
    ...(isCounted
      ? []
      : [
          "the vocabulary of the token counter: budgets count a byte as a token, unless fit.counter is given",
        ]),
    ...(hasKeys
      ? []
      : [
          "a key that instances share: cursors hold in one of them, unless cursorKeys or WAYBILL_SECRET is set",
        ]),
    ...(hasScopes
      ? []
      : ["async scopes: responses that a tool builds itself behind a wait get request ids of their own"]),
  ];
}

let hasSaid = false;

export function sayRuntime(options: ContractOptions, log: Log): void {
  const runtime = edgeRuntime();
  if (runtime === undefined || hasSaid) return;
  hasSaid = true;
  const missing = missingParts(options, {
    hasScopes: builtIn("node:async_hooks") !== undefined,
    hasKeys: options.cursorKeys !== undefined || (environment()["WAYBILL_SECRET"] ?? "") !== "",
  });
  log.warn("runtime-limited", { runtime, missing, hint: "docs/edge.md says what to do about each." });
}
