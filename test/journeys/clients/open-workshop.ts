import { randomUUID } from "node:crypto";
import { createWorkshop } from "../../../examples/workshop/server.ts";
import { type ClientKind, type JourneyClient, type Target, connectClient } from "./connect-client.ts";
import { type Environment, type HttpWorkshop, startHttp } from "./workshop-process.ts";

export const transports = ["memory", "stdio", "http"] as const;
export type TransportName = (typeof transports)[number];

interface Wanted {
  readonly environment?: Environment;
  readonly token?: string;
}

const keyOf = (value: object): string => JSON.stringify(value);

/** HTTP servers by environment, one process each for all clients. */
export class HttpWorkshops {
  readonly #servers = new Map<string, Promise<HttpWorkshop>>();

  open(environment: Environment): Promise<HttpWorkshop> {
    const key = keyOf(environment);
    const server = this.#servers.get(key) ?? startHttp(environment);
    this.#servers.set(key, server);
    return server;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map(async (server) => (await server).stop()));
  }
}

/** The connections of one client: one for each environment and token that a call asks for, kept open. */
export class Connections {
  readonly kind: ClientKind;
  readonly transport: TransportName;
  readonly http: HttpWorkshops;
  readonly #clients = new Map<string, Promise<JourneyClient>>();
  readonly #cleanups: (() => Promise<void>)[] = [];

  constructor(kind: ClientKind, transport: TransportName, http: HttpWorkshops) {
    this.kind = kind;
    this.transport = transport;
    this.http = http;
  }

  to({ environment = {}, token = this.kind.token }: Wanted): Promise<JourneyClient> {
    const key = keyOf([environment, token]);
    const client = this.#clients.get(key) ?? this.#connect(environment, token);
    this.#clients.set(key, client);
    return client;
  }

  async close(): Promise<void> {
    for (const client of await Promise.all(this.#clients.values())) await client.close();
    for (const cleanup of this.#cleanups) await cleanup();
  }

  async #connect(environment: Environment, token: string): Promise<JourneyClient> {
    const client = await connectClient(this.kind, await this.#target(environment, token));
    // From now on the client holds every result against the schema the server listed.
    await client.listTools();
    return client;
  }

  async #target(environment: Environment, token: string): Promise<Target> {
    if (this.transport === "stdio") return { transport: "stdio", environment };
    if (this.transport === "http") {
      return { transport: "http", url: (await this.http.open(environment)).url, token };
    }
    const workshop = await createWorkshop({
      // Contracts with one name would share their quotas.
      WORKSHOP_NAME: `workshop-${randomUUID()}`,
      WORKSHOP_VALIDATE: "always",
      WORKSHOP_LOG: "off",
      ...environment,
    });
    this.#cleanups.push(() => workshop.close());
    return { transport: "memory", workshop };
  }
}
