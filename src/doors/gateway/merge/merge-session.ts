// One client of the legacy era and the servers of an endpoint. What concerns the connection as a whole (greeting, lists,
// log level, ping) is answered here; any other request goes to the one server that it is for, through the same bridge
// as at the server's own address, with at most its name changed.

import type { Handover } from "../../../engine/request/call-request.ts";
import { readMessage } from "../../../engine/session/read-message.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { kindOf, rawIdOf, withRawId } from "../../../engine/transport/raw-message.ts";
import { type JsonObject, isJsonObject, jsonIn } from "../../../core/json/json-value.ts";
import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import { CONNECTION_CLOSED, INVALID_REQUEST, TOOLS_CHANGED_MESSAGE } from "../../../core/protocol/names.ts";
import { type BridgeFault, internalFault, refusal, serverStopped } from "../message/faults.ts";
import { MessageGuard } from "../bridge/bridge-guards.ts";
import { askAll, gatherList, isListMethod, keyOfList, resultIn } from "./gather-lists.ts";
import type { MemberConnection } from "./member-connection.ts";
import type { MergedServer, MergedServers } from "./merged-servers.ts";
import { listResponse } from "./raw-lists.ts";
import { isNotFound, type Addressed, addressOf, listsFor, refuseUnknown } from "./route-request.ts";
import { SessionGreeting } from "./session-greeting.ts";
import { fromClientAnswer, toClientRequest, withMarkedCancel } from "./server-requests.ts";

/** How long open answers are waited for after the client has stopped sending. */
const LEAVE_MS = 30_000;

export interface MergeSessionOptions {
  readonly servers: MergedServers;
  /** The servers that this caller may use, in the order of the configuration. */
  readonly members: readonly MemberConnection[];
  readonly client: Link;
  readonly handover: (server: string) => Handover;
  readonly version: string;
  readonly note: (text: string) => void;
}

interface Asked {
  readonly member: MemberConnection;
  readonly isTask: boolean;
}

export class MergeSession {
  readonly #options: MergeSessionOptions;
  readonly #members: readonly MemberConnection[];
  readonly #mine: readonly MergedServer[];
  readonly #client: Link;
  readonly #guard: MessageGuard;
  /** Requests that a server answers under the client's own id. */
  readonly #asked = new PendingRequests<Asked>();
  /** Requests that are answered here; each may wait for several servers. */
  readonly #making = new PendingRequests<(() => void)[]>();
  readonly #greeting: SessionGreeting;
  #isInitialized = false;
  /** The names of the last list that the client got. */
  #listed: string | undefined;
  #last: MergedServer | undefined;
  readonly #stop: () => void;

  constructor(options: MergeSessionOptions) {
    this.#options = options;
    this.#members = options.members;
    this.#mine = options.members.map(({ server }) => server);
    this.#client = options.client;
    this.#greeting = new SessionGreeting({ ...options, welcome: (member) => this.#welcome(member) });
    this.#guard = new MessageGuard(options.note, (rawId) => this.#send(refusal(rawId, internalFault)));
    this.#stop = options.servers.onNames((isMore) => setImmediate(() => this.#namesChanged(isMore)));
  }

  close(): void {
    this.#stop();
  }

  /** Resolves when no answer is awaited any more, or after a while. */
  async whenAnswered(): Promise<void> {
    await Promise.all([this.#asked.idle(LEAVE_MS, true), this.#making.idle(LEAVE_MS, true)]);
  }

  /** Takes a message of the client that was already checked. */
  take(bytes: Buffer): void {
    this.#guard.run(() => this.#take(bytes), bytes, "request");
  }

  #take(bytes: Buffer): void {
    const read = readMessage(bytes.toString());
    if (read.kind === "answer") return this.#send(JSON.stringify(read.answer));
    if (read.kind === "nothing") return undefined;
    const { message } = read;
    const { id, method } = message;
    if (method === undefined) return this.#answered(bytes, message);
    if (id === undefined) return this.#notified(message, bytes);
    const rawId = rawIdOf(bytes) ?? JSON.stringify(id);
    if (this.#asked.has(id) || this.#making.has(id))
      return this.#refuse(rawId, { code: INVALID_REQUEST, message: "The id is in use" });
    if (this.#asked.isFull || this.#making.isFull)
      return this.#refuse(rawId, {
        code: CONNECTION_CLOSED,
        message: "Too many requests wait for an answer",
      });
    return this.#request(message, bytes, rawId);
  }

  /** The client answers a request of a server. */
  #answered(bytes: Buffer, message: JsonObject): void {
    const read = fromClientAnswer(bytes, message);
    const member = read && this.#members[read.place];
    if (read !== undefined && member !== undefined) member.take(read.bytes, this.#handover(member));
  }

  #notified(message: JsonObject, bytes: Buffer): void {
    const { method, params } = message;
    if (method === "notifications/initialized") this.#isInitialized = true;
    if (method === "notifications/cancelled" && isJsonObject(params)) {
      const asked = this.#asked.take(params["requestId"]);
      for (const cancel of this.#making.take(params["requestId"]) ?? []) cancel();
      return asked?.member.take(bytes, this.#handover(asked.member));
    }
    for (const member of this.#greeted()) member.take(bytes, this.#handover(member));
  }

  #request(message: JsonObject, bytes: Buffer, rawId: string): void {
    const { method } = message;
    if (method === "initialize")
      return this.#answer(message, rawId, () => this.#greeting.greet(message, rawId));
    if (method === "ping") return this.#send(`{"jsonrpc":"2.0","id":${rawId},"result":{}}`);
    if (isListMethod(method) && (method !== "tasks/list" || this.#canListTasks()))
      return this.#answer(message, rawId, () => this.#list(message, method, rawId));
    if (method === "logging/setLevel")
      return this.#answer(message, rawId, () => this.#toAll(message, bytes, rawId));
    return this.#address(message, bytes, rawId);
  }

  /** Sends a request to the server that it is for. */
  #address(message: JsonObject, bytes: Buffer, rawId: string): void {
    const { servers } = this.#options;
    const find = (): Addressed => addressOf(servers, this.#mine, message, bytes);
    const address = find();
    if (address.kind === "one") return this.#forward(address.server, message, address.bytes, rawId);
    return this.#answer(message, rawId, async (cancels) => {
      if (address.kind !== "unlisted") return this.#tryEach(address, message, bytes, rawId, cancels);
      // Before a name counts as unknown, the servers are asked again.
      const lists = listsFor(message);
      await servers.askAgain(lists.join(), async () => {
        for (const list of lists) await this.#gather(list, {});
      });
      return this.#tryEach(find(), message, bytes, rawId, cancels);
    });
  }

  #forward(server: MergedServer, message: JsonObject, bytes: Buffer, rawId: string): void {
    const member = this.#memberOf(server);
    if (member === undefined) return this.#refuse(rawId, gone);
    const { method, params } = message;
    if (method === "tools/call") this.#last = server;
    const isTask = isJsonObject(params) && params["task"] !== undefined;
    const asked: Asked = { member, isTask };
    this.#asked.add(message["id"], asked);
    const starting = this.#greeting.starting(member);
    if (starting === undefined) return member.take(bytes, this.#handover(member));
    return void starting.then(() => {
      if (this.#asked.get(message["id"]) === asked) member.take(bytes, this.#handover(member));
    });
  }

  /** Asks one server after another, until one knows what is meant. */
  async #tryEach(
    address: Addressed,
    message: JsonObject,
    bytes: Buffer,
    rawId: string,
    cancels: (() => void)[],
  ): Promise<Buffer> {
    if (address.kind === "unlisted" || address.kind === "unknown")
      return Buffer.from(refusal(rawId, this.#unknown(message)));
    const servers = address.kind === "one" ? [address.server] : await this.#order(address, message);
    let answer: Buffer | undefined;
    for (const server of servers) {
      const member = this.#memberOf(server);
      if (member === undefined) continue;
      let asked = "";
      const sent = address.kind === "one" ? address.bytes : bytes;
      const told = (own: string): void => void (asked = own);
      const waiting = member.askBytes(sent, this.#handover(member), told);
      const cancel = (): void => {
        member.take(cancelled(asked), this.#handover(member));
        member.forget(asked);
      };
      cancels.push(cancel);
      const said = await waiting;
      cancels.splice(cancels.indexOf(cancel), 1);
      if (said === undefined) continue;
      if (!isNotFound(said)) return withRawId(said, rawId);
      answer ??= said;
    }
    if (answer !== undefined) return withRawId(answer, rawId);
    return Buffer.from(refusal(rawId, { code: CONNECTION_CLOSED, message: "No server answers" }));
  }

  /** What was cut is asked of the server that keeps it; a call that names nothing means the last result. */
  async #order(
    address: Extract<Addressed, { kind: "some" }>,
    message: JsonObject,
  ): Promise<readonly MergedServer[]> {
    const { servers, isArchive } = address;
    if (!isArchive) return servers;
    const mine = servers.filter((server) => this.#memberOf(server) !== undefined);
    const keeper = await this.#options.servers.keeper(message, mine, this.#options.handover);
    const first = keeper ?? mine.find((server) => server === this.#last) ?? mine[0];
    return first === undefined ? [] : [first];
  }

  /** Makes an answer that waits for servers. */
  #answer(
    { id }: JsonObject,
    rawId: string,
    make: (cancels: (() => void)[]) => Promise<Buffer | string>,
  ): void {
    const cancels: (() => void)[] = [];
    this.#making.add(id, cancels);
    void make(cancels)
      .catch((error: unknown) => {
        this.#options.note(`could not answer a request: ${String(error)}`);
        return refusal(rawId, internalFault);
      })
      .then((answer) => {
        // A cancelled request gets no answer.
        if (this.#making.get(id) !== cancels) return;
        this.#making.take(id);
        this.#send(answer);
      });
  }

  /** A server that answers late hears at once what the client has said to the others. */
  #welcome(member: MemberConnection): void {
    if (!this.#isInitialized) return;
    member.take(
      Buffer.from('{"jsonrpc":"2.0","method":"notifications/initialized"}'),
      this.#handover(member),
    );
    this.#tellListsChanged(member);
  }

  async #list(message: JsonObject, method: Parameters<typeof keyOfList>[0], rawId: string): Promise<Buffer> {
    const { servers } = this.#options;
    const entries = await this.#gather(method, message);
    if (method === "tools/list") this.#listed = JSON.stringify(servers.names("tools").all());
    return listResponse(rawId, keyOfList(method), entries);
  }

  async #gather(method: Parameters<typeof keyOfList>[0], message: JsonObject): Promise<readonly Buffer[]> {
    await this.#greeting.started(this.#options.servers.slow);
    const members = this.#greeted().filter(({ isUp }) => isUp);
    const meta = isJsonObject(message["params"]) ? message["params"]["_meta"] : undefined;
    return gatherList(
      this.#options.servers,
      members.map(({ server }) => server),
      method,
      (server, name, params) => {
        const member = this.#memberOf(server);
        if (member === undefined) return Promise.resolve(undefined);
        const asked = isJsonObject(meta) ? { ...params, _meta: withoutToken(meta) } : params;
        return member.ask(name, asked, this.#handover(member));
      },
    );
  }

  #unknown(message: JsonObject): BridgeFault {
    const [first] = this.#members;
    const handover = first === undefined ? { extra: undefined, sessionId: undefined } : this.#handover(first);
    return refuseUnknown(this.#options.servers, this.#mine, message, handover);
  }

  #canListTasks(): boolean {
    return this.#greeted().some(({ greeting }) => {
      const said = greeting?.["capabilities"];
      return isJsonObject(said) && isJsonObject(said["tasks"]) && said["tasks"]["list"] !== undefined;
    });
  }

  /** For all servers that can do it; the client hears of a refusal only if all refuse. */
  async #toAll(message: JsonObject, bytes: Buffer, rawId: string): Promise<Buffer | string> {
    const able = this.#greeted().filter(({ greeting }) => {
      const said = greeting?.["capabilities"];
      return isJsonObject(said) && said["logging"] !== undefined;
    });
    const answers = await askAll(
      able.map(({ server }) => server),
      async (server) => this.#memberOf(server)?.askBytes(bytes, this.#options.handover(server.name)),
    );
    const [first] = answers;
    if (answers.some(([, answer]) => resultIn(answer) !== undefined))
      return `{"jsonrpc":"2.0","id":${rawId},"result":{}}`;
    if (first !== undefined) return withRawId(first[1], rawId);
    return refusal(rawId, this.#unknown(message));
  }

  // What comes from the servers.

  /** A message of a server for the client. */
  hear(member: MemberConnection, bytes: Buffer): void {
    this.#guard.run(() => this.#hear(member, bytes));
  }

  #hear(member: MemberConnection, bytes: Buffer): void {
    const { kind, method, rawId } = kindOf(bytes);
    if (kind === "response") return this.#pass(member, bytes, rawId);
    const place = this.#members.indexOf(member);
    if (kind === "request") return this.#send(toClientRequest(bytes, rawId, place));
    if (method === "notifications/cancelled") return this.#send(withMarkedCancel(bytes, place));
    return this.#send(bytes);
  }

  #pass(member: MemberConnection, bytes: Buffer, rawId: string): void {
    const id = jsonIn(rawId);
    const asked = this.#asked.get(id);
    if (asked?.member !== member) return undefined;
    this.#asked.take(id);
    if (asked.isTask) this.#noteTask(member, bytes);
    return this.#send(bytes);
  }

  #noteTask({ server }: MemberConnection, bytes: Buffer): void {
    const task = resultIn(bytes)?.["task"];
    const id = isJsonObject(task) ? task["taskId"] : undefined;
    if (typeof id === "string") this.#options.servers.notedTask(id, server.name);
  }

  /** A server went away, or is there again. */
  changed(member: MemberConnection, isUp: boolean): void {
    if (member.isUp === isUp) return;
    member.isUp = isUp;
    if (!isUp || member.greeting !== undefined) return this.#tellListsChanged(member);
    // It was down when the client greeted.
    void this.#greeting.again(member);
  }

  #tellListsChanged({ server }: MemberConnection): void {
    if (!this.#isInitialized) return;
    const { capabilities } = server.known.current;
    for (const kind of ["tools", "prompts", "resources"])
      if (kind === "tools" || capabilities[kind] !== undefined)
        this.#send(`{"jsonrpc":"2.0","method":"notifications/${kind}/list_changed"}`);
  }

  /** Another list has taken a name that this client knows; or a server, left out because it was slow, can be listed. */
  #namesChanged(isMore: boolean): void {
    const now = JSON.stringify(this.#options.servers.names("tools").all());
    if (this.#listed === undefined || !this.#isInitialized || (this.#listed === now && !isMore)) return;
    this.#listed = now;
    this.#send(TOOLS_CHANGED_MESSAGE);
  }

  #greeted(): readonly MemberConnection[] {
    return this.#members.filter(({ greeting, isOpen }) => greeting !== undefined && isOpen);
  }

  #memberOf(server: MergedServer): MemberConnection | undefined {
    return this.#members.find((member) => member.server === server && member.isOpen);
  }

  #handover({ server }: MemberConnection): Handover {
    return this.#options.handover(server.name);
  }

  #refuse(rawId: string, fault: BridgeFault): void {
    this.#send(refusal(rawId, fault));
  }

  #send(message: Buffer | string): void {
    this.#client.send(message);
  }
}

function cancelled(rawId: string): Buffer {
  return Buffer.from(
    `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${rawId},"reason":"The client cancelled it"}}`,
  );
}

/** Progress of several servers under one token would go back and forth. */
function withoutToken({ progressToken: _token, ...rest }: JsonObject): JsonObject {
  return rest;
}

const gone = serverStopped({ reason: "its connection has ended", retryInMs: undefined });
