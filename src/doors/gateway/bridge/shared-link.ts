// One server process for many requests at once. Every share is its own link, with ids and progress tokens chosen by its
// client; on the way to the server they become unique numbers, and on the way back the original values.

import { PendingRequests } from "../../../core/protocol/pending-requests.ts";
import { jsonIn } from "../../../core/json/json-value.ts";
import type { Link, LinkListener, Outage, OversizedMessage } from "../../../engine/transport/link.ts";
import {
  kindOf,
  toBytes,
  type MemberSpan,
  memberSpans,
  rawIdsIn,
  withRawId,
  messagesIn,
} from "../../../engine/transport/raw-message.ts";
import { DISCOVER, METHOD_NOT_FOUND, mcpMeta } from "../../../core/protocol/names.ts";

/** A request that the server has not answered yet. */
interface Asked {
  readonly share: Share;
  /** All raw text in Latin-1: one character for each byte. */
  readonly rawId: string;
  readonly rawToken: string | undefined;
  readonly wantsLogs: boolean;
  readonly isSubscription: boolean;
  /** A question that a legacy server may leave unanswered. */
  readonly isProbe: boolean;
}

class Share implements Link {
  readonly #owner: SharedLink;
  /** The numbers that replaced its client's ids. */
  readonly numbers = new Map<unknown, number>();
  listener: LinkListener | undefined;
  isOpen = true;

  constructor(owner: SharedLink) {
    this.#owner = owner;
  }

  send(message: Uint8Array | string): void {
    if (this.isOpen) this.#owner.take(this, toBytes(message));
  }

  listen(listener: LinkListener): void {
    this.listener = listener;
    const { closedBy, outage } = this.#owner;
    if (closedBy !== undefined) queueMicrotask(() => this.lose(closedBy));
    else if (outage !== undefined) listener.interrupted?.(outage);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#owner.leave(this);
  }

  lose(why: string): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.listener?.closed(why);
  }
}

const NOTED_BYTES = 200;

export interface SharedLinkOptions {
  /** Called once, when the server is finally gone or was ended. */
  readonly onClosed: () => void;
  /** Receives notes on what was dropped. */
  readonly note?: ((text: string) => void) | undefined;
}

/** A shared link to a server. It is for the modern era, in which a server keeps no state between requests. */
export class SharedLink {
  readonly #link: Link;
  readonly #options: SharedLinkOptions;
  readonly #asked = new PendingRequests<Asked, number>();
  readonly #shares = new Set<Share>();
  #last = 0;
  /** When a client last joined or left. */
  usedAt: number = Date.now();
  /** Why the link is closed; undefined while it is open. */
  closedBy: string | undefined;
  /** Set while the server is being restarted. */
  outage: Outage | undefined;

  constructor(link: Link, options: SharedLinkOptions) {
    this.#link = link;
    this.#options = options;
    link.listen({
      message: (bytes) => {
        for (const message of messagesIn(bytes)) this.#hear(message);
      },
      oversized: (message) => this.#hearOversized(message),
      closed: (why) => {
        if (this.#end(why)) options.onClosed();
      },
      interrupted: (outage) => this.#interrupted(outage),
      restored: () => {
        this.outage = undefined;
        for (const { listener } of this.#shares) listener?.restored?.();
      },
    });
  }

  /** A separate link for the requests of one client. */
  share(): Link {
    const share = new Share(this);
    this.usedAt = Date.now();
    this.#shares.add(share);
    return share;
  }

  /** How many links are open. */
  get size(): number {
    return this.#shares.size;
  }

  close(): void {
    if (!this.#end("the process was ended")) return;
    this.#link.close();
    this.#options.onClosed();
  }

  #end(why: string): boolean {
    if (this.closedBy !== undefined) return false;
    this.closedBy = why;
    this.#asked.takeAll();
    const shares = [...this.#shares];
    this.#shares.clear();
    for (const share of shares) share.lose(why);
    return true;
  }

  /** Open requests to the server are lost; each client is told, and may ask again. */
  #interrupted(outage: Outage): void {
    this.outage = outage;
    this.#asked.takeAll();
    for (const share of this.#shares) {
      share.numbers.clear();
      share.listener?.interrupted?.(outage);
    }
  }

  /** Takes a message of a client on its way to the server. */
  take(share: Share, bytes: Buffer): void {
    if (this.closedBy !== undefined) return;
    const parts = partsOf(bytes);
    const method = parts.message.get("method");
    const id = parts.message.get("id");
    // Servers send no requests in this era, so a client has none to answer.
    if (method === undefined) return;
    const name = jsonIn(parts.text.slice(method.start, method.end));
    if (id !== undefined) this.#ask(share, parts, id, name);
    else if (name === "notifications/cancelled") this.#cancel(share, parts);
    else this.#link.send(bytes);
  }

  #ask(share: Share, { text, params, meta }: Parts, id: MemberSpan, method: unknown): void {
    this.#last += 1;
    const number = this.#last;
    const token = meta.get("progressToken");
    const rawId = text.slice(id.start, id.end);
    this.#asked.add(number, {
      share,
      rawId,
      rawToken: token && text.slice(token.start, token.end),
      wantsLogs: meta.has(mcpMeta.logLevel),
      isSubscription: method === "subscriptions/listen",
      isProbe: method === DISCOVER,
    });
    share.numbers.set(jsonIn(rawId), number);
    const put = String(number);
    const edits: Edit[] = [{ span: id, text: put }];
    if (token !== undefined && params.size > 0) edits.push({ span: token, text: put });
    this.#link.send(spliced(text, edits));
  }

  /** Cancels a request at the server, by the number that the server knows. */
  #cancel(share: Share, { text, params }: Parts): void {
    const span = params.get("requestId");
    const id = span && jsonIn(text.slice(span.start, span.end));
    const number = share.numbers.get(id);
    if (span === undefined || number === undefined) return;
    share.numbers.delete(id);
    this.#asked.take(number);
    this.#link.send(spliced(text, [{ span, text: String(number) }]));
  }

  /** A client is gone: its open requests are cancelled, and late answers are dropped. */
  leave(share: Share): void {
    this.#shares.delete(share);
    this.usedAt = Date.now();
    if (this.closedBy !== undefined) return;
    for (const number of share.numbers.values()) {
      // A server that stays silent on `server/discover` may know no cancellation before its greeting.
      if (this.#asked.giveUp(number)?.isProbe === true) continue;
      this.#asked.forget(number);
      this.#link.send(
        `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${number},"reason":"The client closed the connection"}}`,
      );
    }
    share.numbers.clear();
  }

  #hear(bytes: Buffer): void {
    const { kind, method, rawId } = kindOf(bytes);
    // A message with neither a result nor an error still counts as the answer if its id was assigned here.
    const known = kind === "response" || kind === "nothing" ? this.#knownId(bytes, rawId) : "";
    if (kind === "response" || this.#asked.has(Number(known))) this.#answer(bytes, known);
    else if (kind === "request") this.#refuse(rawId);
    else if (kind === "notification") this.#tell(bytes, method);
    else
      this.#note(
        `dropped a line that is no message: ${JSON.stringify(bytes.toString("utf8", 0, NOTED_BYTES))}`,
      );
  }

  #note(text: string): void {
    this.#options.note?.(text);
  }

  #takeAsked(rawId: string): Asked | undefined {
    const number = rawId === "" ? Number.NaN : Number(rawId);
    const asked = this.#asked.take(number);
    if (asked === undefined && !this.#asked.forget(number))
      this.#note(`dropped an answer to no open request (id ${rawId})`);
    if (asked === undefined) return undefined;
    asked.share.numbers.delete(jsonIn(asked.rawId));
    return asked;
  }

  /** If an answer has two ids, the one that was assigned here. */
  #knownId(bytes: Buffer, rawId: string): string {
    if (this.#asked.has(Number(rawId))) return rawId;
    return rawIdsIn(bytes).find((one) => this.#asked.has(Number(one))) ?? rawId;
  }

  #answer(bytes: Buffer, rawId: string): void {
    const asked = this.#takeAsked(rawId);
    if (asked === undefined) return;
    const named = withRawId(bytes, toUtf8(asked.rawId));
    asked.share.listener?.message(asked.isSubscription ? renamedSubscription(named, asked.rawId) : named);
  }

  #hearOversized(message: OversizedMessage): void {
    if (!message.isResponse) return;
    const asked = this.#takeAsked(message.rawId ?? "");
    if (asked === undefined) return;
    asked.share.listener?.oversized({ ...message, rawId: toUtf8(asked.rawId) });
  }

  /** Servers of the modern era send no requests; a server that does must not wait forever. */
  #refuse(rawId: string): void {
    this.#link.send(
      `{"jsonrpc":"2.0","id":${rawId},"error":{"code":${METHOD_NOT_FOUND},"message":"No client can be asked on this connection"}}`,
    );
  }

  /** A notification goes to the request it belongs to; otherwise it is dropped. */
  #tell(bytes: Buffer, method: string): void {
    const { text, params, meta } = partsOf(bytes);
    const token = method === "notifications/progress" ? params.get("progressToken") : undefined;
    const span = token ?? meta.get(mcpMeta.subscriptionId);
    if (span !== undefined) {
      const asked = this.#asked.get(Number(text.slice(span.start, span.end)));
      const put = token === undefined ? asked?.rawId : asked?.rawToken;
      if (put !== undefined) asked?.share.listener?.message(spliced(text, [{ span, text: put }]));
      return;
    }
    // A log message names no request, so it is delivered only if one request alone can have caused it.
    if (method !== "notifications/message") return;
    const curious = [...this.#asked.requests()].filter(({ wantsLogs }) => wantsLogs);
    if (curious.length === 1) curious[0]?.share.listener?.message(bytes);
  }
}

function toUtf8(raw: string): string {
  return Buffer.from(raw, "latin1").toString("utf8");
}

/** The last answer of a subscription repeats the subscription's id beside its own. */
function renamedSubscription(bytes: Buffer, rawId: string): Buffer {
  const text = bytes.toString("latin1");
  const result = membersAt(text, memberSpans(text).get("result"));
  const span = membersAt(text, result.get("_meta")).get(mcpMeta.subscriptionId);
  return span === undefined ? bytes : spliced(text, [{ span, text: rawId }]);
}

// Positions of parts in a message's text, and the same text with some parts replaced: everything else is unchanged.

/** A value that replaces another, as raw text. */
interface Edit {
  readonly span: MemberSpan;
  readonly text: string;
}

/** The text with some values replaced, in the order of their positions. */
function spliced(text: string, edits: readonly Edit[]): Buffer {
  const sorted = edits.toSorted((left, right) => left.span.start - right.span.start);
  let result = "";
  let at = 0;
  for (const { span, text: put } of sorted) {
    result += text.slice(at, span.start) + put;
    at = span.end;
  }
  return Buffer.from(result + text.slice(at), "latin1");
}

type Members = ReadonlyMap<string, MemberSpan>;
const none: Members = new Map();

function membersAt(text: string, span: MemberSpan | undefined): Members {
  return span === undefined || text.charCodeAt(span.start) !== 0x7b ? none : memberSpans(text, span.start);
}

/** A message as text with one character for each byte, and the positions of its parts. */
interface Parts {
  readonly text: string;
  readonly message: Members;
  readonly params: Members;
  readonly meta: Members;
}

function partsOf(bytes: Buffer): Parts {
  const text = bytes.toString("latin1");
  const message = memberSpans(text);
  const params = membersAt(text, message.get("params"));
  return { text, message, params, meta: membersAt(text, params.get("_meta")) };
}
