// The servers of one legacy connection to an endpoint: each has a connection of its own, and a bridge with its own
// contract. They start together, and end together.

import type { Handover } from "../../../engine/request/call-request.ts";
import type { Link } from "../../../engine/transport/link.ts";
import { openBridge } from "../bridge/bridge.ts";
import { termsOf } from "../bridge/bridge-options.ts";
import type { ConnectionOrigin } from "../upstream/upstream.ts";
import { LastingLink } from "./lasting-link.ts";
import { MemberConnection, type MemberListener } from "./member-connection.ts";
import { MergeSession } from "./merge-session.ts";
import type { EndpointServer, MergedEndpoint } from "./merged-endpoint.ts";

export interface OpenOptions {
  readonly client: Link;
  readonly handover: () => Handover;
  /** The longest message the client accepts. */
  readonly maxReplyBytes?: number | undefined;
  /** Called once, when nothing of the connection is left but the ends of processes. */
  readonly onClose?: (() => void) | undefined;
}

/** Stands for a connection to all servers, before and after it is used. */
export class SessionServers implements Link {
  readonly #endpoint: MergedEndpoint;
  readonly #origin: ConnectionOrigin;
  readonly #links: readonly (readonly [EndpointServer, LastingLink])[];
  readonly #ended: (() => void) | undefined;
  #alive = 0;
  #isOpen = true;
  #changed: (server: EndpointServer, isUp: boolean) => void = () => undefined;

  constructor(endpoint: MergedEndpoint, origin: ConnectionOrigin, ended: (() => void) | undefined) {
    this.#endpoint = endpoint;
    this.#origin = origin;
    this.#ended = ended;
    this.#links = endpoint.serversOf(origin).map((server) => [server, this.#connect(server)]);
  }

  // The connection is opened by `open`; nothing is sent before.
  listen(): void {}
  send(): void {}

  close(): void {
    this.#isOpen = false;
    for (const [, link] of this.#links) link.close();
    this.#tellEnd();
  }

  #connect(server: EndpointServer): LastingLink {
    const principal = this.#origin.each?.get(server.name)?.principal ?? this.#origin.principal;
    return new LastingLink({
      retryMs: this.#endpoint.retryMs,
      connect: () => {
        this.#alive += 1;
        return server.upstream.connect({ principal }, () => {
          this.#alive -= 1;
          this.#tellEnd();
        });
      },
      away: () => this.#changed(server, false),
      back: () => this.#changed(server, true),
    });
  }

  #tellEnd(): void {
    if (!this.#isOpen && this.#alive === 0) this.#ended?.();
  }

  #handoverFor(name: string, handover: () => Handover): Handover {
    const admitted = this.#origin.each?.get(name);
    const given = handover();
    if (admitted === undefined) return given;
    return { ...given, extra: { ...(given.extra as object | undefined), authInfo: admitted.authInfo } };
  }

  /** Connects the client; from now on only the session listens to it. */
  open({ client, handover, maxReplyBytes, onClose }: OpenOptions): MergeSession {
    const held = new Set<MemberConnection>();
    const hub: MemberListener = {
      message: (member, bytes) => session.hear(member, bytes),
      waitingBytes: () => client.waitingBytes ?? 0,
      hold: (isHeld) => client.hold?.(isHeld),
      closed: (member) => {
        held.delete(member);
        if (held.size > 0) return;
        session.close();
        this.close();
        client.close();
        onClose?.();
      },
    };
    const byServer = new Map<EndpointServer, MemberConnection>();
    for (const [server] of this.#links) byServer.set(server, new MemberConnection(server, hub));
    const members = [...byServer.values()];
    const session: MergeSession = new MergeSession({
      servers: this.#endpoint.servers,
      members,
      client,
      handover: (name) => this.#handoverFor(name, handover),
      version: this.#endpoint.version,
      note: this.#endpoint.note,
    });
    this.#changed = (server, isUp) => {
      const member = byServer.get(server);
      if (member !== undefined) session.changed(member, isUp);
    };
    for (const [server, link] of this.#links) {
      const member = byServer.get(server);
      if (member === undefined) continue;
      held.add(member);
      const { state, options, name } = server;
      openBridge({
        state,
        client: member,
        upstream: link,
        handover: () => member.handover,
        ...termsOf(options),
        maxReplyBytes,
        isJudged: true,
        note: (text) => state.log.warn("gateway-dropped", { upstream: name, what: text }),
      });
    }
    const leave = (why: string): void => {
      for (const member of members) member.leave(why);
    };
    client.listen({
      message: (bytes) => session.take(bytes),
      oversized: ({ bytes }) => this.#endpoint.note(`dropped a message of the client of ${bytes} bytes`),
      closed: leave,
      finished: () => void session.whenAnswered().then(() => leave("the client left")),
      drained: () => {
        for (const member of members) member.drained();
      },
    });
    return session;
  }
}
