import type { ContractState } from "../../../engine/call/contract-state.ts";
import type { Handover } from "../../../engine/request/call-request.ts";
import { type ToolChoice, toolChoiceOf } from "../../../engine/session/tool-names.ts";
import type { Link } from "../../../engine/transport/link.ts";

/** What the settings of a server say of each of its connections. */
export interface ServerTerms extends ToolChoice {
  /** How long a call may take if its tool has no time limit of its own. Default: as long as its client waits. */
  readonly callTimeoutMs?: number | undefined;
  /** How long any other request may take. Default: 300,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long a call that asked for progress may be silent until the gateway says that it runs. Default: 15,000. */
  readonly progressEveryMs?: number | "off" | undefined;
}

/** These settings alone, of an upstream's options. */
export function termsOf(options: ServerTerms): ServerTerms {
  const { callTimeoutMs, requestTimeoutMs, progressEveryMs } = options;
  return { callTimeoutMs, requestTimeoutMs, progressEveryMs, ...toolChoiceOf(options) };
}

export interface BridgeOptions extends ServerTerms {
  readonly state: ContractState;
  readonly client: Link;
  readonly upstream: Link;
  /** The facts about the HTTP request that brings a message. Default: none, as on stdio. */
  readonly handover?: (() => Handover) | undefined;
  /** The longest message the client accepts: on stdio the SDKs end the connection at 10 MiB. Default: any. */
  readonly maxReplyBytes?: number | undefined;
  /** The client's messages are already validated (bytes and keys). Default: they are validated here, as on stdio. */
  readonly isJudged?: boolean | undefined;
  /** Answers to calls of at least this length are delivered in another thread. Default: 1 MiB. */
  readonly largeBytes?: number | undefined;
  /** Receives notes on what was dropped: lines of the server that are not messages, unexpected answers. */
  readonly note?: ((text: string) => void) | undefined;
  /** Called once, when both sides are closed; `end` says which side left first. */
  readonly onClose?: ((why: string, end: BridgeEnd) => void) | undefined;
}

export interface Bridge {
  /** Closes both sides; waiting calls are abandoned. */
  close(): void;
}

export interface BridgeEnd {
  readonly by: "close" | "client" | "server";
  readonly reason: string;
}
