// Two callers who are nothing to each other, on one server over HTTP. One knows everything about the other's result but
// its full hash, and tries to get at it; the count of what is served is the fact.
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { SSEClientTransport } from "mcp-sdk-1-25/client/sse.js";
import { afterEach, describe, expect, it } from "vitest";
import { defineTiers } from "../../src/engine/settings/flags-and-tiers/define-tiers.ts";
import type { JsonObject } from "../../src/core/json/json-value.ts";
import type { CallRequest } from "../../src/doors/server/index.ts";
import { type AnyClient, type Era, connectClient } from "./attach-clients.fixture.ts";
import {
  type Served,
  type Setup,
  listen,
  servePerRequest,
  serveSetup,
  setups,
  strangersContract,
} from "./strangers.fixture.ts";
import { isFullRun, someOf } from "../arbitrary/law-runs.ts";

/** Over all setups together. */
const ATTEMPTS = isFullRun ? 10_000 : 100;
/** So many are under way at once. */
const AT_ONCE = 20;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(serving: Promise<Served>): Promise<URL> {
  const { url, close } = await serving;
  closing.push(close);
  return url;
}

async function connect(
  url: URL,
  era: Era = "modern",
  headers: Record<string, string> = {},
): Promise<AnyClient> {
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  const client = await connectClient("2.4.0", transport, era);
  closing.push(() => client.close());
  return client;
}

/** A client in the way that a setup is served. */
async function visit(url: URL, { name, era }: Setup): Promise<AnyClient> {
  if (!name.endsWith("SSE")) return connect(url, era);
  const client = await connectClient("1.25.3", new SSEClientTransport(url));
  closing.push(() => client.close());
  return client;
}

function envelopeIn(result: JsonObject): JsonObject {
  return result["structuredContent"] as JsonObject;
}

interface CutRecords {
  readonly hash: string;
  readonly named: string;
}

/** Calls for records of one's own: what archive they are cut into, and how the warning names it. */
async function cutRecords(client: AnyClient): Promise<CutRecords> {
  const { meta } = envelopeIn(await client.call("records")) as unknown as {
    meta: { content_archive_hashes: Record<string, string>; warning_details: { context?: unknown }[] };
  };
  const [hash = ""] = Object.values(meta.content_archive_hashes);
  const context = meta.warning_details.find(({ context: said }) => said !== undefined)?.context;
  const { retrieve } = context as { retrieve: { arguments: { archive: string } } };
  return { hash: hash.replace("sha256:", ""), named: retrieve.arguments.archive };
}

async function retrieve(client: AnyClient, args: JsonObject): Promise<JsonObject> {
  return envelopeIn(await client.call("waybill_retrieve", args));
}

/** The secret of the caller's own records; empty where they were not given back. */
async function secretOf(client: AnyClient, args: JsonObject): Promise<string> {
  const answer = JSON.stringify(await retrieve(client, args));
  return /secret-\d+-[0-9a-f-]{36}/.exec(answer)?.[0] ?? "";
}

function nearMiss(hash: string, round: number): string {
  const at = round % hash.length;
  const digit = (Number.parseInt(hash.charAt(at), 16) + 1 + (round % 15)) % 16;
  return hash.slice(0, at) + digit.toString(16) + hash.slice(at + 1);
}

interface Victim {
  readonly hash: string;
  /** Of the second page of the victim's own request. */
  readonly cursor: string;
  readonly idempotencyKey: string;
}

type Attempt = (bob: AnyClient, victim: Victim, round: number) => Promise<unknown>;

const byTool =
  (argsFor: (victim: Victim, handle: string, round: number) => JsonObject): Attempt =>
  (bob, victim, round) =>
    bob.call("waybill_retrieve", argsFor(victim, victim.hash.slice(0, 8 + (round % 56)), round));

const attempts: readonly Attempt[] = [
  byTool(() => ({ ids: ["r-private"] })),
  byTool(() => ({ ids: ["r-private"], query: "secret" })),
  byTool((_, handle) => ({ archive: handle })),
  byTool((_, handle) => ({ archive: handle, ids: ["r-private"] })),
  byTool((_, handle) => ({ archive: handle, query: "secret" })),
  byTool((_, handle) => ({ archive: handle, match: { id: "r-private" } })),
  byTool((_, handle) => ({ archive: handle, pointer: "/records/300" })),
  byTool((_, handle) => ({ archive: handle.toUpperCase(), limit: 0 })),
  byTool((_, handle) => ({ archive: `sha256:${handle}` })),
  byTool((_, handle) => ({ archive: `waybill://archive/${handle}` })),
  byTool(({ hash }) => ({ archive: `records-${hash.slice(0, 12)}`, ids: ["r-private"] })),
  byTool(({ hash }, _, round) => ({ archive: nearMiss(hash, round) })),
  byTool(({ cursor }) => ({ cursor, ids: ["r-private"] })),
  byTool(({ cursor, hash }) => ({ archive: hash.slice(0, 12), cursor })),
  (bob, { hash }, round) => bob.readResource(`waybill://archive/${hash.slice(0, 8 + (round % 56))}`),
  (bob, { hash }) => bob.readResource(`waybill://archive/${hash.slice(0, 12)}/0/100000`),
  (bob, { hash }, round) => bob.readResource(`waybill://archive/${nearMiss(hash, round)}`),
  (bob) => bob.listResources(),
  (bob, { idempotencyKey }) => bob.call("book", {}, { meta: { "waybill/idempotency_key": idempotencyKey } }),
  (bob, { idempotencyKey }) =>
    bob.call(
      "waybill_retrieve",
      { ids: ["r-private"] },
      { meta: { "waybill/idempotency_key": idempotencyKey } },
    ),
];

/** What an attempt brought, whether it was answered or refused. */
async function broughtBy(attempt: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await attempt);
  } catch (error) {
    return String(error);
  }
}

async function prepareVictim(alice: AnyClient): Promise<Victim & { readonly secrets: string[] }> {
  const { hash } = await cutRecords(alice);
  const idempotencyKey = "retry-1";
  const meta = { "waybill/idempotency_key": idempotencyKey };
  const booked = JSON.stringify(await alice.call("book", {}, { meta }));
  const page = await retrieve(alice, { archive: hash, limit: 1 });
  const { pagination } = page["meta"] as unknown as { pagination: { cursor: string } };
  const secret = await secretOf(alice, { archive: hash, ids: ["r-private"] });
  // The attempts mean something only if the owner can do it.
  expect(secret).toMatch(/^secret-/);
  const booking = /secret-\d+-[0-9a-f-]{36}/.exec(booked)?.[0];
  return {
    hash,
    cursor: pagination.cursor,
    idempotencyKey,
    secrets: booking === undefined ? [secret] : [secret, booking],
  };
}

describe("two callers without sign-in over HTTP", () => {
  it.each(someOf(setups, 4))(
    "$name: none of one's attempts at the other's archive is served",
    async (setup) => {
      const url = await serve(serveSetup(setup));
      const alice = await visit(url, setup);
      const bob = await visit(url, setup);
      const victim = await prepareVictim(alice);
      const served: string[] = [];
      let made = 0;
      const tryOne = async (round: number): Promise<void> => {
        const attempt = attempts[round % attempts.length];
        const brought = await broughtBy(attempt?.(bob, victim, round) ?? Promise.resolve());
        made += 1;
        if (victim.secrets.some((secret) => brought.includes(secret))) served.push(`${round}: ${brought}`);
      };
      const rounds = Array.from({ length: ATTEMPTS / setups.length }, (_, round) => round);
      while (rounds.length > 0) await Promise.all(rounds.splice(0, AT_ONCE).map(tryOne));
      expect({ served, made }).toEqual({ served: [], made: ATTEMPTS / setups.length });
    },
  );

  it.each(setups.filter(({ isSession }) => !isSession))(
    "$name: the full hash, which the warning names, opens an entry by tool and resource",
    async (setup) => {
      const url = await serve(serveSetup(setup));
      const alice = await visit(url, setup);
      const { hash, named } = await cutRecords(alice);
      expect(named).toBe(hash);
      const secret = await secretOf(alice, { archive: named, ids: ["r-private"] });
      expect(secret).toMatch(/^secret-/);
      expect(JSON.stringify(await alice.readResource(`waybill://archive/${hash}`))).toContain(secret);
    },
  );

  it.each(setups.filter(({ isSession }) => !isSession))(
    "$name: a handle is refused in the same words whether or not there is such an entry",
    async (setup) => {
      const url = await serve(serveSetup(setup));
      const alice = await visit(url, setup);
      const { hash } = await cutRecords(alice);
      const told = async (archive: string) => {
        const { error, data } = await retrieve(alice, { archive });
        return { error, data };
      };
      expect(await told(hash.slice(0, 12))).toEqual(await told(nearMiss(hash.slice(0, 12), 0)));
      expect(await told(hash.slice(0, 12))).toMatchObject({ data: { error_code: "VALIDATION_ERROR" } });
    },
  );

  it.each(setups.filter(({ isSession }) => isSession))(
    "$name: a session finds its own by id and handle, and another's not even by the full hash",
    async (setup) => {
      const url = await serve(serveSetup(setup));
      const alice = await visit(url, setup);
      const bob = await visit(url, setup);
      const { hash, named } = await cutRecords(alice);
      expect(named).toBe(hash.slice(0, 12));
      expect(await secretOf(alice, { ids: ["r-private"] })).toMatch(/^secret-/);
      expect(await secretOf(alice, { archive: named, ids: ["r-private"] })).toMatch(/^secret-/);
      expect(await retrieve(bob, { archive: hash })).toMatchObject({ data: { error_code: "NOT_FOUND" } });
      await expect(bob.readResource(`waybill://archive/${hash}`)).rejects.toThrow(/not found/i);
    },
  );
});

describe("an unverified token", () => {
  const perRequest = setups.filter(({ isSession }) => !isSession);

  it.each(perRequest)("$name: keeps its caller's archive apart, and finds in it by id", async (setup) => {
    const url = await serve(serveSetup(setup));
    const [alice, again, bob, nobody] = await Promise.all([
      connect(url, setup.era, { Authorization: "Bearer token-of-alice" }),
      connect(url, setup.era, { Authorization: "Bearer token-of-alice" }),
      connect(url, setup.era, { Authorization: "Bearer token-of-bob" }),
      connect(url, setup.era),
    ]);
    const { hash, named } = await cutRecords(alice);
    expect(named).toBe(hash.slice(0, 12));
    expect(await secretOf(again, { ids: ["r-private"] })).toMatch(/^secret-/);
    for (const stranger of [bob, nobody]) {
      expect(await retrieve(stranger, { archive: hash })).toMatchObject({
        data: { error_code: "NOT_FOUND" },
      });
      expect(await secretOf(stranger, { ids: ["r-private"] })).toBe("");
    }
  });

  it("chooses no tier and no flag: neither is shown it", async () => {
    const seen: CallRequest[] = [];
    const tiers = defineTiers<CallRequest>({
      of: (request) => {
        seen.push(request);
        return undefined;
      },
    });
    const url = await serve(listen(servePerRequest(strangersContract({ tiers }))));
    await (await connect(url, "modern", { Authorization: "Bearer token-of-alice" })).call("book");
    const [request] = seen;
    expect(request).toMatchObject({ isHttp: true });
    expect(request?.auth).toBeUndefined();
    expect(request?.bearerHash).toBeUndefined();
  });
});

describe("an idempotency key without sign-in", () => {
  const key = { meta: { "waybill/idempotency_key": "retry-1" } };

  it("is refused where a repeated call could do harm, before the tool runs", async () => {
    const url = await serve(listen(servePerRequest(strangersContract())));
    const alice = await connect(url);
    const envelope = envelopeIn(await alice.call("book", {}, key));
    expect(envelope).toMatchObject({ success: false, data: { error_code: "VALIDATION_ERROR" } });
    expect(JSON.stringify(envelope)).not.toContain("secret-");
  });

  it("works with a token, for its own caller", async () => {
    const url = await serve(listen(servePerRequest(strangersContract())));
    const [alice, bob] = await Promise.all([
      connect(url, "modern", { Authorization: "Bearer token-of-alice" }),
      connect(url, "modern", { Authorization: "Bearer token-of-bob" }),
    ]);
    const bookingOf = async (client: AnyClient) => envelopeIn(await client.call("book", {}, key))["data"];
    const first = await bookingOf(alice);
    expect(await bookingOf(alice)).toEqual(first);
    expect(await bookingOf(bob)).not.toEqual(first);
  });
});

describe("rate limits of callers without sign-in", () => {
  const rateLimit = { limit: 2, periodSeconds: 60 };
  const codeOf = async (client: AnyClient): Promise<unknown> => {
    const { data } = envelopeIn(await client.call("book"));
    return (data as JsonObject)["error_code"] ?? "fine";
  };

  it("go by the address that the HTTP recipe hands over, whatever token or header a caller invents", async () => {
    const contract = strangersContract({ rateLimit });
    const handle = servePerRequest(contract);
    const at = (address: string) =>
      serve(listen((request, response) => contract.withPeer(address, () => handle(request, response))));
    const [home, office] = await Promise.all([at("198.51.100.4"), at("203.0.113.9")]);
    const forwarded = (index: number) => ({
      Authorization: `Bearer invented-${index}`,
      "X-Forwarded-For": `192.0.2.${index}`,
    });
    const codes: unknown[] = [];
    for (const index of [1, 2, 3]) codes.push(await codeOf(await connect(home, "modern", forwarded(index))));
    expect(codes).toEqual(["fine", "fine", "RATE_LIMIT_EXCEEDED"]);
    expect(await codeOf(await connect(office))).toBe("fine");
  });

  it("are one for all where no address is handed over", async () => {
    const url = await serve(listen(servePerRequest(strangersContract({ rateLimit }))));
    const codes: unknown[] = [];
    for (const _ of [1, 2, 3]) codes.push(await codeOf(await connect(url)));
    expect(codes).toEqual(["fine", "fine", "RATE_LIMIT_EXCEEDED"]);
  });

  it("go by what a trusted proxy saw, and not by what stood in the header before", async () => {
    const contract = strangersContract({ rateLimit, trustProxy: 1 });
    const url = await serve(listen(servePerRequest(contract)));
    const through = (invented: string, seen: string) =>
      connect(url, "modern", { "X-Forwarded-For": `${invented}, ${seen}` });
    const codes: unknown[] = [];
    for (const index of [1, 2, 3])
      codes.push(await codeOf(await through(`192.0.2.${index}`, "198.51.100.4")));
    expect(codes).toEqual(["fine", "fine", "RATE_LIMIT_EXCEEDED"]);
    expect(await codeOf(await through("192.0.2.1", "203.0.113.9"))).toBe("fine");
  });
});
