import type { Handover } from "../../engine/request/call-request.ts";
import type { ContractState } from "../../engine/call/contract-state.ts";
import type { Link } from "../../engine/transport/link.ts";

export interface BridgeOptions {
  readonly state: ContractState;
  readonly client: Link;
  readonly upstream: Link;
  /** What is known of the HTTP request that brings a message. Default: nothing, as on stdio. */
  readonly handover?: (() => Handover) | undefined;
  /** Tools of the server that nobody sees here: not listed, and unknown to a call. */
  readonly hide?: readonly string[] | undefined;
  /** How long a call of a tool without a time of its own may take. Default: as long as its client waits. */
  readonly callTimeoutMs?: number | undefined;
  /** How long any other request may take. Default: 300,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** The longest message the client can take: on stdio the SDKs end the connection at 10 MiB. Default: any. */
  readonly maxReplyBytes?: number | undefined;
  /** Whoever takes the client's messages has judged their bytes and keys. Default: they are judged here, as on stdio. */
  readonly isJudged?: boolean | undefined;
  /** Answers to calls from this length on are delivered in another thread. Default: 1 MiB. */
  readonly largeBytes?: number | undefined;
  /** Hears of what was dropped: lines of the server that are no message, answers that nobody waits for. */
  readonly note?: ((text: string) => void) | undefined;
  /** Called once, when both sides are closed. */
  readonly onClose?: ((why: string) => void) | undefined;
}

export interface Bridge {
  /** Ends both sides; calls that wait are given up. */
  close(): void;
}
