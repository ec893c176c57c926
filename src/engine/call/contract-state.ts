import type { CursorKeys } from "../retrieve/cursor/cursor-options.ts";
import { type Log, createLog } from "../observe/log-event.ts";
import { type Redactor, createRedactor } from "../../core/text/redact-secrets.ts";
import { environment } from "../runtime/environment.ts";
import { isNumbered } from "../../core/contract/retrieve-name.ts";
import { RETRIEVE_TOOL } from "../../core/contract/wire-names.ts";
import type { ContractOptions } from "../settings/contract-options.ts";
import { ArchiveAccess } from "./archive-access.ts";
import { CallEvents, callPrinterListener, openTelemetryListener } from "./call-events.ts";
import { type LazyCounter, lazyCounter } from "./lazy-counter.ts";
import { type DoorDefaults, SettingsResolver } from "../settings/settings-resolver.ts";
import { GuardSet } from "../guards/guard-set.ts";
import { type Namesakes, namesakesOf } from "../guards/namesakes.ts";
import { QuestionDesk } from "./question-desk.ts";
import { sayRuntime } from "./say-runtime.ts";
import type { StickyChoices } from "./server-tool.ts";

/** Everything a contract owns; it outlives server objects, which `createMcpHandler` builds for every request. */
export interface ContractState {
  readonly options: ContractOptions;
  readonly effective: SettingsResolver;
  readonly guards: GuardSet;
  readonly events: CallEvents;
  readonly log: Log;
  readonly redactor: Redactor | undefined;
  /** Whether successes are masked too, and with them what is archived. */
  readonly masksSuccesses: boolean;
  /** Masks secrets in one text. */
  readonly mask: (text: string) => string;
  /** What clients negotiated; made with the first choice that has to be remembered. */
  readonly sticky: { choices?: StickyChoices };
  readonly cursorKeys: () => CursorKeys | Promise<CursorKeys>;
  readonly archive: ArchiveAccess;
  /** What the tool is called that gives back what was cut. Clients hold to a list, so a reload changes nothing of it. */
  readonly retrieveName: string;
  readonly counter: LazyCounter;
  readonly questions: QuestionDesk;
}

function redactorOf({ redact }: ContractOptions): Redactor | undefined {
  if (redact === false) return undefined;
  return createRedactor(typeof redact === "object" ? redact : {});
}

/** Read here too, because without a configuration nobody else reads it, and the hint below must be true. */
function environmentSecret(): string | undefined {
  const secret = environment()["WAYBILL_SECRET"];
  return secret === undefined || secret.trim() === "" ? undefined : secret;
}

/**
 * The operator's keys, else the configured secret, else one kept in the store, so that restarts and replicas agree,
 * else a key of this process that no other one accepts.
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
    // Asking the environment costs more than signing a cursor.
    fromEnvironment ??= { secret: environmentSecret() };
    const given = options.cursorKeys ?? effective.settings.secret?.reveal() ?? fromEnvironment.secret;
    if (given !== undefined) return given;
    return archive.isOn && archive.isLasting ? kept() : random();
  };
}

/** Spans, metrics and the log get every call from the start; others subscribe later. */
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

/** What a door says besides the options. */
export interface Door {
  readonly defaults?: DoorDefaults | undefined;
  /** Tools that nobody sees, whoever's they are. */
  readonly hidden?: readonly string[] | undefined;
  /** Its clients on stdio are of one user, who may open by hash or handle what any of that user's servers keeps. */
  readonly sharesLocal?: boolean | undefined;
}

/** The tool may be hidden by the name that it has, by that name with a number, or by the name that it usually has. */
function isHidden(retrieveName: string, hidden: readonly string[] = []): boolean {
  return hidden.some((name) => name === RETRIEVE_TOOL || isNumbered(name, retrieveName));
}

export function createState(
  options: ContractOptions,
  { defaults, hidden, sharesLocal = false }: Door = {},
): ContractState {
  const redactor = redactorOf(options);
  const { logger, logLevel, name } = options;
  const log = createLog({ logger, level: logLevel, redactor });
  sayRuntime(options, log);
  const effective = new SettingsResolver(options, { doorDefaults: defaults, log });
  const { retrieveName } = effective;
  const namesakes = namesakesOf(name);
  const archive = new ArchiveAccess(options, effective, namesakes, log, {
    isOffered: !isHidden(retrieveName, hidden),
    sharesLocal,
  });
  return {
    options,
    effective,
    guards: new GuardSet(options, () => archive.redis(), namesakes, log),
    events: createEvents(name, log),
    log,
    redactor,
    masksSuccesses: typeof options.redact === "object" && options.redact.successes === true,
    mask: (text) => redactor?.text(text).text ?? text,
    sticky: {},
    cursorKeys: cursorKeysOf(options, effective, archive, namesakes, log),
    archive,
    retrieveName,
    counter: lazyCounter(options.fit?.counter, log),
    questions: new QuestionDesk(log),
  };
}
