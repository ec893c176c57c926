// `waybill audit`: reads the histories of MCP clients on a machine, and says what each server cost in tokens, what its
// clients cut, repeated or took for a success, and what the gateway would have sent. It writes nothing beside them, and
// nothing leaves the machine; of results only sizes and counts are kept.

import { setImmediate as nextTurn } from "node:timers/promises";
import { isTooDeep } from "../../../core/json/find-non-json.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { type TokenCounter, loadCounter } from "../../../core/tokens/token-counter.ts";
import { sha256Hex } from "../../../engine/runtime/sha256-hex.ts";
import type { Machine } from "../state-folder.ts";
import { type FoundHistory, type Passed, findHistories, insideFolder } from "./find-histories.ts";
import { historyFormats } from "./formats/history-formats.ts";
import { type HistoryFormat, type RecordedCall, textResult } from "./formats/history-format.ts";
import { GatewayTwin, readerOf } from "./gateway-twin.ts";
import { type Unread, readHistory, readKept } from "./read-history.ts";
import { type JudgedCall, type ServerCost, ServerTally } from "./server-tally.ts";
import { shownByRow } from "./shown-by-row.ts";
import { SqliteMissing } from "./sqlite-rows.ts";

export interface AuditOptions {
  readonly machine: Machine & { readonly home: string };
  /** Ids of formats. Default: all. */
  readonly clients?: readonly string[] | undefined;
  /** Calls and files that are older are left out. */
  readonly sinceMs: number;
  /** The limit for all histories together; the newest are read first. */
  readonly maxBytes: number;
  readonly onProgress?: ((readBytes: number, ofBytes: number) => void) | undefined;
}

/** What was read of one client, and what was not. */
export interface ClientHistory {
  readonly client: string;
  /** The version with whose own files the reader was tried; null if it was written after descriptions. */
  readonly tried_with: string | null;
  files: number;
  bytes: number;
  calls: number;
  /** The same call in another file: a session that was resumed or forked. */
  copies: number;
  /** Files that are older, or for which `maxBytes` had no room. */
  older_files: number;
  files_without_room: number;
  /** Histories in a database that this Node cannot read. */
  databases: number;
  not_understood: {
    not_utf8: number;
    not_json: number;
    too_long: number;
    /** A call of an MCP server in a form that is not known, or one that is nested too deep. */
    odd_calls: number;
  };
  not_read: { links: number; unreadable: number; beyond: number };
}

export interface Audit {
  readonly clients: readonly ClientHistory[];
  readonly servers: readonly ServerCost[];
}

export type AuditTotal = Omit<ServerCost, "server" | "client" | "tools">;

/** The sums over all servers and clients. */
export function totalOf(servers: readonly ServerCost[]): AuditTotal {
  const sum = (amountOf: (cost: ServerCost) => number): number =>
    servers.reduce((total, cost) => total + amountOf(cost), 0);
  return {
    calls: sum(({ calls }) => calls),
    tokens: sum(({ tokens }) => tokens),
    cut: sum(({ cut }) => cut),
    repeated: sum(({ repeated }) => repeated),
    repeated_tokens: sum((cost) => cost.repeated_tokens),
    failures: sum(({ failures }) => failures),
    failures_as_successes: sum((cost) => cost.failures_as_successes),
    possible_failures: sum((cost) => cost.possible_failures),
    gateway: {
      compared: sum(({ gateway }) => gateway.compared),
      tokens_before: sum(({ gateway }) => gateway.tokens_before),
      tokens_after: sum(({ gateway }) => gateway.tokens_after),
      cut: sum(({ gateway }) => gateway.cut),
      untouched: sum(({ gateway }) => gateway.untouched),
    },
    is_estimated: servers.some((cost) => cost.is_estimated),
  };
}

/** Servers beyond these are counted together: no user is known to have so many. */
const MAX_SERVERS = 100;
/** Calls that are remembered, to find copies and repetitions. */
const MAX_KNOWN = 500_000;

export async function auditHistories(options: AuditOptions): Promise<Audit> {
  const audit = new Auditing(options, await loadCounter());
  try {
    return await audit.run();
  } finally {
    await audit.close();
  }
}

class Auditing {
  readonly #options: AuditOptions;
  readonly #counter: TokenCounter;
  readonly #twin = new GatewayTwin();
  readonly #clients = new Map<HistoryFormat, ClientHistory>();
  readonly #tallies = new Map<string, ServerTally>();
  /** Hashes of calls and of results: nothing else of them is kept. */
  readonly #calls = new Known();
  readonly #results = new Known();

  constructor(options: AuditOptions, counter: TokenCounter) {
    this.#options = options;
    this.#counter = counter;
  }

  close(): Promise<void> {
    return this.#twin.close();
  }

  async run(): Promise<Audit> {
    const found = this.#find();
    const ofBytes = found.reduce((sum, { bytes }) => sum + bytes, 0);
    let doneBytes = 0;
    for (const history of found) {
      let readBytes = 0;
      await this.#read(history, (bytes) =>
        this.#options.onProgress?.(doneBytes + (readBytes += bytes), ofBytes),
      );
      this.#options.onProgress?.((doneBytes += history.bytes), ofBytes);
    }
    const servers = [...this.#tallies.values()].map((tally) => tally.cost());
    return {
      clients: [...this.#clients.values()],
      servers: servers.sort((one, other) => other.tokens - one.tokens),
    };
  }

  /** The newest first, as far as there is room. */
  #find(): readonly FoundHistory[] {
    const { clients, machine, sinceMs, maxBytes } = this.#options;
    const all = historyFormats
      .filter(({ id }) => clients?.includes(id) ?? true)
      .flatMap((format) => {
        const passed: Passed = { links: 0, unreadable: 0, beyond: 0 };
        const found = findHistories(format, machine, passed);
        this.#clients.set(format, newClient(format, passed));
        return found;
      })
      .sort((one, other) => other.changedMs - one.changedMs);
    let left = maxBytes;
    return all.filter((history) => {
      const client = this.#clientOf(history.format);
      if (history.changedMs < sinceMs) client.older_files += 1;
      else if (history.bytes > left) client.files_without_room += 1;
      else {
        left -= history.bytes;
        return true;
      }
      return false;
    });
  }

  #clientOf(format: HistoryFormat): ClientHistory {
    const known = this.#clients.get(format) ?? newClient(format, { links: 0, unreadable: 0, beyond: 0 });
    this.#clients.set(format, known);
    return known;
  }

  async #read(history: FoundHistory, onBytes: (bytes: number) => void): Promise<void> {
    const { format, files, path, bytes } = history;
    const client = this.#clientOf(format);
    const unread: Unread = { notUtf8: 0, notJson: 0, tooLong: 0 };
    const waiting: RecordedCall[] = [];
    const findings = {
      call: (call: RecordedCall) => void waiting.push(call),
      odd: () => void (client.not_understood.odd_calls += 1),
    };
    const pause = async (): Promise<void> => {
      for (const call of waiting.splice(0)) await this.#note(call, format, client);
    };
    try {
      const names = format.serverNames?.(this.#options.machine) ?? (() => []);
      await readHistory(history, files.open(findings, path, names), { unread, pause, onBytes });
      await pause();
      client.files += 1;
      client.bytes += bytes;
    } catch (error) {
      if (error instanceof SqliteMissing) client.databases += 1;
      else client.not_read.unreadable += 1;
    }
    client.not_understood.not_utf8 += unread.notUtf8;
    client.not_understood.not_json += unread.notJson;
    client.not_understood.too_long += unread.tooLong;
    // Ctrl-C is heard between two files.
    await nextTurn();
  }

  async #note(call: RecordedCall, format: HistoryFormat, client: ClientHistory): Promise<void> {
    if (call.atMs !== undefined && call.atMs < this.#options.sinceMs) return;
    if (isTooDeep(call.args) || isTooDeep(call.result)) {
      client.not_understood.odd_calls += 1;
      return;
    }
    if (this.#calls.has(`${format.id} ${call.id}`)) {
      client.copies += 1;
      return;
    }
    client.calls += 1;
    const grouped = this.#grouped(call, format);
    const result = call.result ?? (await this.#wholeOf(call, format));
    this.#tallyOf(grouped, format).add(await this.#judge(grouped, result, format));
  }

  /** The whole of a result that the client cut, if it kept it in a file. */
  async #wholeOf({ wholeIn }: RecordedCall, format: HistoryFormat): Promise<JsonObject | undefined> {
    const file = wholeIn === undefined ? undefined : insideFolder(wholeIn, format, this.#options.machine);
    const text = file === undefined ? undefined : await readKept(file);
    return text === undefined ? undefined : textResult([format.unframe?.(text) ?? text]);
  }

  async #judge(
    call: RecordedCall,
    result: JsonObject | undefined,
    format: HistoryFormat,
  ): Promise<JudgedCall> {
    const reader = readerOf(format.clientName, call.model);
    const byRow = result && shownByRow(result, reader, this.#counter);
    const given = call.given ?? byRow?.given ?? [];
    const isCut = call.isCut || (call.given === undefined && byRow?.isCut === true);
    const isFailure = result?.["isError"] === true;
    const said = [format.id, call.session, call.server ?? "", call.tool, result ?? given];
    const answer = result && (await this.#twin.answer(format, call, result));
    const behind = answer && {
      given: answer.isUntouched && !isCut ? given : shownByRow(answer.result, reader, this.#counter).given,
      isCut: answer.isCut,
      isUntouched: answer.isUntouched,
      isNamed: answer.isFailure && !isFailure,
      isDoubted: answer.mayBeFailure,
    };
    const isRepeated = this.#results.has(JSON.stringify(said));
    return { tool: call.tool, given, isCut, isRepeated, isFailure, behind };
  }

  #tallyOf({ server }: RecordedCall, { id, client }: HistoryFormat): ServerTally {
    const key = keyOf(id, server);
    const tally = this.#tallies.get(key) ?? new ServerTally(server, client, this.#counter);
    this.#tallies.set(key, tally);
    return tally;
  }

  /** Servers beyond those that are counted one by one are one. */
  #grouped(call: RecordedCall, { id }: HistoryFormat): RecordedCall {
    const hasRoom = this.#tallies.size < MAX_SERVERS || this.#tallies.has(keyOf(id, call.server));
    return hasRoom ? call : { ...call, server: OTHERS };
  }
}

const keyOf = (id: string, server: string | undefined): string => JSON.stringify([id, server ?? null]);
const OTHERS = "(all others)";

function newClient({ client, triedWith }: HistoryFormat, passed: Passed): ClientHistory {
  return {
    client,
    tried_with: triedWith ?? null,
    files: 0,
    bytes: 0,
    calls: 0,
    copies: 0,
    older_files: 0,
    files_without_room: 0,
    databases: 0,
    not_understood: { not_utf8: 0, not_json: 0, too_long: 0, odd_calls: 0 },
    not_read: passed,
  };
}

/** Remembers texts by a part of their hash; when it is full, it remembers no more of them. */
class Known {
  readonly #hashes = new Set<string>();

  /** Whether the text was asked for before. */
  has(text: string): boolean {
    const hash = sha256Hex(text).slice(0, 24);
    if (this.#hashes.has(hash)) return true;
    if (this.#hashes.size < MAX_KNOWN) this.#hashes.add(hash);
    return false;
  }
}
