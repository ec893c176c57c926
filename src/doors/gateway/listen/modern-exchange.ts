import type { Link, LinkListener } from "../../../engine/transport/link.ts";
import { kindOf, toBytes } from "../../../engine/transport/message-kind.ts";
import { errorCodeOf, statusOfError } from "./error-status.ts";
import { type HttpReply, PROGRESS } from "./http-reply.ts";

/** One request of the modern era and its response, as the client's end of a bridge. */
export class ModernExchange implements Link {
  readonly #body: Buffer;
  readonly #reply: HttpReply;
  #listener: LinkListener | undefined;
  #isOpen = true;

  constructor(body: Buffer, reply: HttpReply) {
    this.#body = body;
    this.#reply = reply;
  }

  send(message: Uint8Array | string): void {
    if (!this.#isOpen) return;
    const bytes = toBytes(message);
    const { kind, method } = kindOf(bytes);
    if (kind !== "response") {
      if (method !== PROGRESS || !this.#reply.isSlow) this.#reply.event(bytes);
      return;
    }
    const code = errorCodeOf(bytes);
    this.#reply.answer(bytes, code === undefined ? 200 : statusOfError(code));
    this.#isOpen = false;
    // Not while the bridge sends: it would be closed in the middle of its work.
    queueMicrotask(() => this.#listener?.closed("the request was answered"));
  }

  listen(listener: LinkListener): void {
    this.#listener = listener;
    listener.message(this.#body);
  }

  /** The server is gone before it answered. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const error = { code: -32000, message: "Connection closed" };
    const id = idOf(this.#body);
    this.#reply.answer(Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`), 502);
  }

  /** The client closed the response: in this era that cancels the request. */
  cancel(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#listener?.closed("the client closed the response");
  }
}

function idOf(body: Buffer): string {
  return kindOf(body).rawId || "null";
}
