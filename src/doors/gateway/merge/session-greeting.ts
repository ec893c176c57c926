import type { Handover } from "../../../engine/request/call-request.ts";
import { type JsonObject, isJsonObject } from "../../../core/json/json-value.ts";
import { LEGACY_REVISION, legacyRevisions } from "../../../core/protocol/names.ts";
import { standsForSignIn } from "../../../core/contract/wire-names.ts";
import { askAll, mergedCapabilities, mergedInstructions, resultIn } from "./gather-lists.ts";
import type { MemberConnection } from "./member-connection.ts";
import type { SlowServers } from "./slow-servers.ts";

export interface GreetingOptions {
  readonly members: readonly MemberConnection[];
  readonly handover: (server: string) => Handover;
  readonly version: string;
  /** A server has answered the greeting. */
  readonly welcome: (member: MemberConnection) => void;
}

/** The client's greeting, which goes to every server, and again to one that comes back without having answered it. */
export class SessionGreeting {
  readonly #options: GreetingOptions;
  /** Servers that have not answered yet. */
  readonly #starting = new Map<MemberConnection, Promise<unknown>>();
  #params: JsonObject | undefined;

  constructor(options: GreetingOptions) {
    this.#options = options;
  }

  /** The answer of all servers as that of one. */
  async greet({ params }: JsonObject, rawId: string): Promise<string> {
    const { members, version } = this.#options;
    this.#params = isJsonObject(params) ? params : {};
    const asked = this.#params["protocolVersion"];
    const byServer = new Map(members.map((member) => [member.server, member]));
    const greeted = await askAll([...byServer.keys()], async (server) => {
      const member = byServer.get(server);
      return member && this.again(member);
    });
    const known = members.map(({ server, greeting }) => {
      const said = greeting && !standsForSignIn(greeting) ? greeting["capabilities"] : undefined;
      return isJsonObject(said) ? said : server.known.current.capabilities;
    });
    const texts = greeted.flatMap(([{ name }, { instructions }]) =>
      typeof instructions === "string" ? [[name, instructions] as const] : [],
    );
    const instructions = mergedInstructions(texts);
    const result = {
      protocolVersion: legacyRevisions.some((each) => each === asked) ? asked : LEGACY_REVISION,
      capabilities: mergedCapabilities(known),
      serverInfo: { name: "waybill", version },
      ...(instructions === undefined ? {} : { instructions }),
    };
    return `{"jsonrpc":"2.0","id":${rawId},"result":${JSON.stringify(result)}}`;
  }

  /** Greets one server as the client greeted; undefined if it refuses, and before the client has greeted. */
  again(member: MemberConnection): Promise<JsonObject | undefined> {
    if (this.#params === undefined) return Promise.resolve(undefined);
    const greeting = this.#greetOne(member, this.#params);
    const starting: Promise<unknown> = greeting.then(() => {
      if (this.#starting.get(member) === starting) this.#starting.delete(member);
    });
    this.#starting.set(member, starting);
    return greeting;
  }

  /** Resolves when this server has answered; undefined if it has. */
  starting(member: MemberConnection): Promise<unknown> | undefined {
    return this.#starting.get(member);
  }

  /** Resolves when all servers have answered that are waited for. */
  async started(slow: SlowServers): Promise<void> {
    await Promise.all([...this.#starting].map(([{ server }, answered]) => slow.wait(server, answered)));
  }

  async #greetOne(member: MemberConnection, params: JsonObject): Promise<JsonObject | undefined> {
    const { server } = member;
    const result = resultIn(await member.ask("initialize", params, this.#options.handover(server.name)));
    if (result === undefined) return undefined;
    member.greeting = result;
    const said = result["capabilities"];
    if (!standsForSignIn(result)) server.known.greeted(isJsonObject(said) ? said : {});
    this.#options.welcome(member);
    return result;
  }
}
