// The servers behind one endpoint, and which of them a request is for: a tool or a prompt by its name, a resource by its
// address, what was cut by its hash, a task by its id.

import { isCut } from "../../../engine/call/answered-call.ts";
import type { ContractState } from "../../../engine/call/contract-state.ts";
import { tenantOf } from "../../../engine/call/open-call.ts";
import { type Handover, fromMessage } from "../../../engine/request/call-request.ts";
import { matchesPattern } from "../../../engine/session/tool-names.ts";
import {
  isRetrievalTool,
  parseArchiveReference,
  standsForSignIn,
} from "../../../core/contract/wire-names.ts";
import { type JsonObject, type JsonValue, isJsonObject } from "../../../core/json/json-value.ts";
import type { UpstreamOptions } from "../gateway-options.ts";
import type { KnownLists, ListedKind } from "./known-lists.ts";
import { MergedNames, type PrefixMode } from "./merged-names.ts";
import type { RawEntry } from "./raw-lists.ts";
import { SlowServers } from "./slow-servers.ts";

/** One server of an endpoint, with the contract that it also has at an address of its own. */
export interface MergedServer {
  readonly name: string;
  readonly options: UpstreamOptions;
  readonly state: ContractState;
  readonly known: KnownLists;
}

export interface MergedServersOptions {
  readonly servers: readonly MergedServer[];
  readonly prefix: PrefixMode;
  /** How long a list waits for a server. */
  readonly listMs?: number | undefined;
  /** Told of each request whose name no server has. */
  readonly refused?: NoteUnknown | undefined;
}

/** A request that no server was asked: the name it gave, the code of its answer, and who sent it. */
interface UnknownRequest {
  readonly name: string;
  readonly code: number;
  readonly caller: string | undefined;
}

/** Called when names may have changed; `isMore`: and when lists may have more than before. */
type NamesListener = (isMore: boolean) => void;

type NoteUnknown = (request: UnknownRequest) => void;

/** Of addresses, hashes and tasks, the latest are remembered. */
const MAX_PLACES = 10_000;

/** A template without it would match the addresses of all servers. */
const OWN_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** When the servers were last listed for one kind of thing, and whether they are now. */
interface Asking {
  now: Promise<void> | undefined;
  at: number;
}

/** Unknown names within this time are refused by the lists that are known. */
const ASK_AGAIN_MS = 5_000;

function remember<Value>(places: Map<string, Value>, key: string, value: Value): void {
  places.delete(key);
  places.set(key, value);
  if (places.size <= MAX_PLACES) return;
  for (const oldest of places.keys()) {
    places.delete(oldest);
    return;
  }
}

/** An address of the archive names a hash, which only the server's own contract can open. */
function hashIn(reference: unknown): string | undefined {
  return typeof reference === "string" ? parseArchiveReference(reference.split("/", 4).join("/")) : undefined;
}

export class MergedServers {
  readonly all: readonly MergedServer[];
  readonly #prefix: PrefixMode;
  readonly #names = new Map<ListedKind, MergedNames>();
  /** The servers whose retrieval tool has a name, by that name. */
  readonly #retrievals = new Map<string, Set<string>>();
  readonly #resources = new Map<string, string>();
  readonly #templates = new Map<string, string>();
  readonly #archives = new Map<string, string>();
  readonly #tasks = new Map<string, string>();
  readonly #asking = new Map<string, Asking>();
  readonly #listeners = new Set<NamesListener>();
  readonly #stops: (() => void)[] = [];

  /** For the access log. */
  readonly refused: NoteUnknown;

  /** For lists. */
  readonly slow: SlowServers;

  constructor({ servers, prefix, refused, listMs }: MergedServersOptions) {
    this.all = servers;
    this.slow = new SlowServers({ listMs, recovered: () => this.#tell(true) });
    this.refused = refused ?? (() => undefined);
    this.#prefix = prefix;
    for (const { name, state, known } of servers) {
      this.#noteRetrieval(state.retrieveName, name);
      this.#stops.push(
        known.onChange((kind) => {
          this.#names.delete(kind);
          this.#tell(false);
        }),
        state.events.onAnswer({
          answered: (_called, answered) => {
            this.#noteLinks(name, answered.result["content"]);
            if (!isCut(answered)) return;
            for (const hash of Object.values(answered.outcome?.notes.fidelity?.archives ?? {}))
              remember(this.#archives, hash.replace(/^sha256:/, ""), name);
          },
        }),
      );
    }
  }

  close(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Returns a function that stops this. */
  onNames(listener: NamesListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(isMore: boolean): void {
    for (const listener of this.#listeners) listener(isMore);
  }

  names(kind: ListedKind): MergedNames {
    const known = this.#names.get(kind);
    if (known !== undefined) return known;
    const names = new MergedNames(
      {
        prefix: this.#prefix,
        servers: this.all.map(({ name }) => name),
        reserved: kind === "tools" ? [...this.#retrievals.keys()] : [],
      },
      new Map(this.all.map((server) => [server.name, server.known.current[kind]])),
    );
    this.#names.set(kind, names);
    return names;
  }

  server(name: string): MergedServer | undefined {
    return this.all.find((server) => server.name === name);
  }

  /**
   * Lists the servers again, for something that is in no list: at most once in a while for each kind, since a client with
   * wrong names must not make work for all.
   */
  askAgain(what: string, list: () => Promise<void>): Promise<void> {
    const asking = this.#asking.get(what) ?? { now: undefined, at: Number.NEGATIVE_INFINITY };
    this.#asking.set(what, asking);
    if (asking.now !== undefined) return asking.now;
    if (performance.now() - asking.at < ASK_AGAIN_MS) return Promise.resolve();
    asking.now = list().finally(() => {
      asking.now = undefined;
      asking.at = performance.now();
    });
    return asking.now;
  }

  /** The names that these servers have here. */
  namesAmong(kind: ListedKind, servers: readonly MergedServer[]): readonly string[] {
    const names = this.names(kind);
    const own = new Set(servers.map(({ name }) => name));
    return names.all().filter((shown) => own.has(names.find(shown)?.server ?? ""));
  }

  /**
   * What a bare name stands for that is in no list, because several servers have it, or all names are prefixed: one name
   * for each of these servers. None of them gets the call: a server could take the calls of another by its name.
   */
  namesakes(kind: ListedKind, bare: string, servers: readonly MergedServer[]): readonly string[] {
    const having = servers.filter(({ known }) => known.current[kind].includes(bare));
    return having.map(({ name }) => this.names(kind).shown(name, bare));
  }

  /** Takes a whole list of one server. */
  listed(kind: ListedKind, server: MergedServer, entries: readonly RawEntry[]): void {
    const own = kind === "tools" ? entries.filter(({ value }) => !isRetrievalTool(value)) : entries;
    const names = own.flatMap(({ value: { name } }) => (typeof name === "string" ? [name] : []));
    // What one caller gets before it has signed in is not the server's list.
    if (own.some(({ value }) => standsForSignIn(value))) server.known.seen(kind, names);
    else server.known.listed(kind, names);
    if (kind !== "tools") return;
    for (const { value } of entries)
      if (isRetrievalTool(value) && typeof value["name"] === "string")
        this.#noteRetrieval(value["name"], server.name);
  }

  #noteRetrieval(name: string, server: string): void {
    if (!this.#retrievals.has(name)) this.#names.delete("tools");
    this.#retrievals.set(name, (this.#retrievals.get(name) ?? new Set()).add(server));
  }

  /** The servers whose retrieval tool has this name; undefined if it is not the name of one. */
  retrievals(name: string): readonly MergedServer[] | undefined {
    const servers = this.#retrievals.get(name);
    return servers && this.all.filter((server) => servers.has(server.name));
  }

  /** The one that keeps what a call of the retrieval tool asks for; undefined if the call does not say. */
  async keeper(
    message: JsonObject,
    among: readonly MergedServer[],
    handoverFor: (server: string) => Handover,
  ): Promise<MergedServer | undefined> {
    const params = isJsonObject(message["params"]) ? message["params"] : {};
    const args = isJsonObject(params["arguments"]) ? params["arguments"] : {};
    const hash = hashIn(args["archive"]) ?? hashIn(params["uri"]);
    if (hash === undefined) return undefined;
    const noted = [...this.#archives].findLast(([one]) => one.startsWith(hash))?.[1];
    const first = among.find(({ name }) => name === noted);
    if (first !== undefined) return first;
    for (const server of among) {
      const { state } = server;
      if (!state.archive.isOn) continue;
      const call = fromMessage(message, handoverFor(server.name), undefined, state.options.trustProxy);
      try {
        const store = await state.archive.store();
        if ((await store.find(tenantOf(call, state.options).tenant, hash)).length > 0) return server;
      } catch {
        // A store that fails says so itself when it is asked by the call.
        continue;
      }
    }
    return undefined;
  }

  notedResources(server: string, entries: readonly RawEntry[]): void {
    for (const { value } of entries.toReversed())
      if (typeof value["uri"] === "string") this.#noteFirst(this.#resources, value["uri"], server);
  }

  notedTemplates(server: string, entries: readonly RawEntry[]): void {
    for (const { value } of entries.toReversed()) {
      const template = value["uriTemplate"];
      if (typeof template !== "string") continue;
      this.#noteFirst(this.#templates, template, server);
    }
  }

  /** A result may link to what is in no list. */
  #noteLinks(server: string, content: JsonValue | undefined): void {
    if (!Array.isArray(content)) return;
    for (const block of content as readonly JsonValue[]) {
      if (!isJsonObject(block)) continue;
      const { uri } = isJsonObject(block["resource"]) ? block["resource"] : block;
      if (typeof uri === "string" && !this.#resources.has(uri)) remember(this.#resources, uri, server);
    }
  }

  /** Of two servers with the same entry, the first of the configuration has it. */
  #noteFirst(places: Map<string, string>, key: string, server: string): void {
    const known = places.get(key);
    const rank = (name: string): number => this.all.findIndex((one) => one.name === name);
    if (known === undefined || rank(server) <= rank(known)) remember(places, key, server);
  }

  /** Of these servers those that may have a resource. An address may be a secret: no other server is asked for it. */
  forResource(uri: string, among: readonly MergedServer[]): readonly MergedServer[] {
    const listed = this.#resources.get(uri) ?? this.#templates.get(uri);
    if (listed !== undefined) return among.filter(({ name }) => name === listed);
    const likely = [...this.#templates].filter(
      ([template]) =>
        OWN_SCHEME.test(template) && matchesPattern(template.replaceAll(/\{[^{}]*\}/g, "*"), uri),
    );
    const names = new Set(likely.map(([, name]) => name));
    return among.filter(({ name }) => names.has(name));
  }

  notedTask(id: string, server: string): void {
    remember(this.#tasks, id, server);
  }

  /** Of these servers those that may know a task. */
  forTask(id: string, among: readonly MergedServer[]): readonly MergedServer[] {
    const noted = among.find(({ name }) => name === this.#tasks.get(id));
    return noted === undefined ? among : [noted];
  }
}
