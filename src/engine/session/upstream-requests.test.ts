import { afterEach, describe, expect, it, vi } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import type { JsonObject } from "../../core/json/json-value.ts";
import { createState } from "../call/contract-state.ts";
import { type Serve, add, call, here, open, reply, said } from "./message-session.fixture.ts";
import { MessageSession } from "./message-session.ts";

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const dataOf = ({ result }: JsonObject): unknown =>
  ((result as JsonObject)["structuredContent"] as JsonObject)["data"];
const sum = (value: number): JsonObject => ({ content: [], structuredContent: { sum: value } });
const cancelled = (requestId: number): JsonObject => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

/** A server that lists at once, and whose calls a test answers itself. */
function slow(): { readonly serve: Serve; readonly calls: JsonObject[] } {
  const calls: JsonObject[] = [];
  const serve: Serve = (message, session) => {
    if (message["method"] === "tools/list") void session.response(reply(message, { tools: [add] }));
    if (message["method"] === "tools/call") calls.push(message);
  };
  return { serve, calls };
}

describe("ids", () => {
  it("that a client uses twice at once keep their answers apart", async () => {
    const { serve, calls } = slow();
    const { session } = open(serve);
    const first = session.request(call("add", 1), here) as Promise<JsonObject>;
    const second = session.request(call("add", 1), here) as Promise<JsonObject>;
    await turn();
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    void session.response(reply(calls[1] ?? {}, sum(2)));
    void session.response(reply(calls[0] ?? {}, sum(1)));
    expect([dataOf(await first), dataOf(await second)]).toEqual([{ sum: 1 }, { sum: 2 }]);
    expect(await second).toMatchObject({ id: 1 });
  });

  it("used again after a timeout do not get the old call's late answer", async () => {
    const { serve, calls } = slow();
    const { session } = open(serve, { toolSettings: { add: { timeoutMs: 400 } } });
    await session.request(call("add", 1), here);
    const again = session.request(call("add", 1), here) as Promise<JsonObject>;
    await turn();
    expect(session.response(reply({ id: 1 }, sum(1)))).toBeUndefined();
    void session.response(reply(calls[1] ?? {}, sum(2)));
    expect(dataOf(await again)).toEqual({ sum: 2 });
  });

  it("of a call that was given up serve any other request again", async () => {
    const { serve } = slow();
    const { session } = open(serve);
    const given = session.request(call("add", 1), here);
    await turn();
    session.notified(cancelled(1));
    await given;
    expect(session.request({ jsonrpc: "2.0", id: 1, method: "ping" }, here)).toBe("forward");
    const pong = reply({ id: 1 }, {});
    expect(session.response(pong)).toBe(pong);
  });

  it("of ours are told apart from the client's when a call under one of them is cancelled", async () => {
    const { serve, calls } = slow();
    const { session, heard } = open(serve);
    void session.request(call("add", 1), here);
    await turn();
    const second = session.request(call("add", 1), here);
    await turn();
    session.notified(cancelled(1));
    expect(await second).toBeUndefined();
    expect(heard.at(-1)).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: calls[1]?.["id"] },
    });
    void session.closed();
  });
});

describe("a server that answers twice", () => {
  it("is heard once, also while the first answer is still being written", async () => {
    const { serve, calls } = slow();
    const { session } = open(serve);
    const answered = session.request(call("add", 1), here) as Promise<JsonObject>;
    await turn();
    expect(session.response(reply(calls[0] ?? {}, sum(1)))).toBeUndefined();
    expect(session.response(reply(calls[0] ?? {}, sum(2)))).toBeUndefined();
    expect(dataOf(await answered)).toEqual({ sum: 1 });
  });
});

describe("a connection that closes", () => {
  it("gives back the room of its calls, and takes no more", async () => {
    const { serve } = slow();
    const settings = { toolSettings: { add: { concurrency: 1 } } };
    const { session, heard } = open(serve, settings);
    const waiting = session.request(call("add", 1), here);
    await turn();
    expect(session.closed()).toBeUndefined();
    await waiting;
    const before = heard.length;
    const after = (await session.request(call("add", 2), here)) as JsonObject;
    expect(dataOf(after)).toMatchObject({ error_code: "UNAVAILABLE" });
    expect(heard).toHaveLength(before);
  });

  it("lets a run end that others wait for, and says when", async () => {
    const { serve, calls } = slow();
    const { session } = open(serve, { toolSettings: { add: { cache: { ttlMs: 60_000 } } } });
    const answered = session.request(call("add", 1), here) as Promise<JsonObject>;
    await turn();
    const over = session.closed();
    expect(over).toBeInstanceOf(Promise);
    void session.response(reply(calls[0] ?? {}, sum(1)));
    await over;
    expect(dataOf(await answered)).toEqual({ sum: 1 });
  });
});

describe("learning what a server lists", () => {
  afterEach(() => void vi.useRealTimers());

  /** Sessions of one contract, as over HTTP with a server object for every request. */
  function sessions(serve: Serve) {
    const state = createState({ logLevel: "silent", dialect: "response-v2", requestIds: () => "req_1" });
    const heard: JsonObject[] = [];
    return {
      heard,
      open: () => {
        const session: MessageSession = new MessageSession(state, {
          toServer: (message) => {
            heard.push(message);
            serve(message, session);
          },
        });
        return session;
      },
    };
  }
  const lists = (heard: readonly JsonObject[]): number =>
    heard.filter(({ method }) => method === "tools/list").length;

  it("is done once for calls that come at the same time on several connections", async () => {
    let list: (() => void) | undefined;
    const made = sessions((message, session) => {
      if (message["method"] === "tools/list")
        list = () => void session.response(reply(message, { tools: [add] }));
      else void session.response(reply(message, sum(3)));
    });
    const answers = [made.open(), made.open(), made.open()].map(
      (each) => each.request(call(), here) as Promise<JsonObject>,
    );
    await turn();
    expect(made.heard.map(({ method }) => method)).toEqual(["tools/list"]);
    list?.();
    const results = await Promise.all(answers);
    expect(results.map(dataOf)).toEqual([{ sum: 3 }, { sum: 3 }, { sum: 3 }]);
    expect(lists(made.heard)).toBe(1);
  });

  it("is left to the next call when the connection closes meanwhile", async () => {
    let isMute = true;
    const made = sessions((message, session) => {
      if (isMute) return;
      const isList = message["method"] === "tools/list";
      void session.response(reply(message, isList ? { tools: [add] } : sum(3)));
    });
    const first = made.open();
    const lost = first.request(call(), here);
    await turn();
    void first.closed();
    await lost;
    isMute = false;
    await made.open().request(call(), here);
    expect(lists(made.heard)).toBe(2);
  });

  it("ends after five seconds for all pages together, and the call goes on", async () => {
    vi.useFakeTimers();
    let pages = 0;
    const made = sessions((message, session) => {
      const isList = message["method"] === "tools/list";
      const page = isList ? { tools: [], nextCursor: `${(pages += 1)}` } : said("fine");
      setTimeout(() => void session.response(reply(message, page)), isList ? 2_000 : 0);
    });
    const answered = made.open().request(call(), here) as Promise<JsonObject>;
    await vi.advanceTimersByTimeAsync(5_100);
    expect(dataOf(await answered)).toEqual({ result: "fine" });
    expect(pages).toBe(3);
  });

  it("is still to be done when a client has seen some pages only", async () => {
    const made = sessions((message, session) => {
      const { cursor } = message["params"] as { cursor?: string };
      const page = cursor === undefined ? { tools: [], nextCursor: "2" } : { tools: [add] };
      void session.response(reply(message, message["method"] === "tools/list" ? page : sum(3)));
    });
    const session = made.open();
    void session.request({ jsonrpc: "2.0", id: 9, method: "tools/list", params: {} }, here);
    void session.response(reply({ id: 9 }, { tools: [], nextCursor: "2" }));
    await session.request(call(), here);
    expect(lists(made.heard)).toBe(2);
  });

  it.runIf(isFullRun)("is not undone by callers that make names up", async () => {
    const made = sessions((message, session) => {
      const isList = message["method"] === "tools/list";
      void session.response(reply(message, isList ? { tools: [add] } : sum(3)));
    });
    const session = made.open();
    for (let name = 0; name < 2_100; name += 1) await session.request(call(`made-up-${name}`), here);
    const [before] = [lists(made.heard)];
    const answer = (await session.request(call(), here)) as JsonObject;
    expect(answer).toHaveProperty("result.structuredContent.data", { sum: 3 });
    expect(lists(made.heard)).toBe(before);
  });
});

describe("a tool of the server's own called waybill_retrieve", () => {
  it("is called where the server lists it; otherwise ours answers", async () => {
    const own = { ...add, name: "waybill_retrieve" };
    for (const tools of [[own], [add]]) {
      const { session, heard } = open((message, each) => {
        const isList = message["method"] === "tools/list";
        void each.response(reply(message, isList ? { tools } : sum(3)));
      });
      await session.request(call("waybill_retrieve"), here);
      expect(heard.some(({ method }) => method === "tools/call")).toBe(tools[0] === own);
    }
  });
});
