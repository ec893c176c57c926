import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../../../engine/transport/until.fixture.ts";
import type { WatchedGateway, WatchedUpstream } from "../dashboard-parts.ts";
import type { CallBatch, Hello, Overview, UpstreamNow } from "../protocol/traffic.ts";
import { toolCalls, watchedState } from "../traffic/watched-state.fixture.ts";
import { type OpenedPage, openPage } from "./dashboard.fixture.ts";

interface Heard {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: unknown;
}

/** The events of a stream so far; comments and other lines are left out. */
function eventsIn(text: string): Heard[] {
  return text.split("\n\n").flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
    const [event, data] = [field("event"), field("data")];
    return event === undefined || data === undefined
      ? []
      : [{ event, id: field("id"), data: JSON.parse(data) }];
  });
}

async function listen({ port }: OpenedPage, cookie: string, lastId = "") {
  let text = "";
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { cookie, "last-event-id": lastId },
    signal: leaving.signal,
  });
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? [])
      text += decoder.decode(chunk as Uint8Array, { stream: true });
  })().catch(() => undefined);
  const of = (event: string) => eventsIn(text).filter((one) => one.event === event);
  const seqs = () => of("calls").flatMap(({ data }) => (data as CallBatch).rows.map(({ seq }) => seq));
  return { response, heard: () => eventsIn(text), of, seqs, leave: () => leaving.abort() };
}

const hello = { content: [{ type: "text", text: "hello" }] };

async function openFeed(upstreams: WatchedUpstream[]) {
  const listeners = new Set<() => void>();
  const gateway: WatchedGateway = {
    transport: "http",
    urls: () => ({ files: "http://127.0.0.1:1/files/mcp" }),
    upstreams: () => upstreams,
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const page = await openPage({}, gateway);
  return { page, cookie: await page.cookie(), changed: () => listeners.forEach((listener) => listener()) };
}

describe("what an open page hears", () => {
  it("begins with the state, the figures and the newest calls, and goes on with every new one", async () => {
    const files = watchedState("files");
    const call = toolCalls(files);
    const { page, cookie } = await openFeed([files]);
    await call("read", hello);
    const { response, heard, of, seqs } = await listen(page, cookie);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    await until(() => heard().length >= 3);
    expect(heard().map(({ event }) => event)).toEqual(["hello", "overview", "calls"]);
    expect(heard()[0]?.data as Hello).toMatchObject({
      transport: "http",
      hasActions: false,
      hasBodies: false,
      upstreams: [{ name: "files", state: "up" }],
    });
    expect(seqs()).toEqual([1]);
    await call("read", hello);
    await call("write", { isError: true, content: [{ type: "text", text: "no such file" }] });
    const totals = () => (of("overview").at(-1)?.data as Overview | undefined)?.totals;
    await until(() => seqs().length === 3 && totals()?.calls === 3);
    expect(totals()).toMatchObject({ calls: 3, failed: 1 });
  });

  it("tells a page that comes back only what it missed, and a page of an earlier run everything", async () => {
    const files = watchedState("files");
    const call = toolCalls(files);
    const { page, cookie } = await openFeed([files]);
    for (let made = 0; made < 3; made++) await call("read", hello);
    const first = await listen(page, cookie);
    await until(() => first.seqs().length === 3);
    const lastId = first.of("calls").at(-1)?.id ?? "";
    first.leave();
    await call("read", hello);
    const back = await listen(page, cookie, lastId);
    await until(() => back.of("calls").length > 0);
    expect(back.seqs()).toEqual([4]);
    const other = await listen(page, cookie, `1.${lastId.split(".")[1]}`);
    await until(() => other.of("calls").length > 0);
    expect(other.seqs()).toEqual([1, 2, 3, 4]);
  });

  it("follows servers that come and go, and says when their state changes", async () => {
    const files = watchedState("files");
    let now: UpstreamNow = { name: "files", kind: "command", reach: "files", state: "up", restarts: 0 };
    const upstreams: WatchedUpstream[] = [{ ...files, now: () => now }];
    const { page, cookie, changed } = await openFeed(upstreams);
    const { of, seqs } = await listen(page, cookie);
    now = { ...now, state: "down", reason: "the server stopped" };
    await until(() => of("hello").length > 1);
    expect(of("hello").at(-1)?.data).toMatchObject({ upstreams: [{ state: "down" }] });
    const mail = watchedState("mail");
    upstreams.splice(0, 1, mail);
    changed();
    await toolCalls(files)("read", hello);
    await toolCalls(mail)("send", hello);
    await until(() => seqs().length > 0);
    expect(of("calls").flatMap(({ data }) => (data as CallBatch).rows.map(({ tool }) => tool))).toEqual([
      "send",
    ]);
  });
});
