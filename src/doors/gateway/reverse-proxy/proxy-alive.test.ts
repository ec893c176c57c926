// A call over HTTP that asked for progress, and whose server is silent for a while.

import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { quick, sseOf } from "../../../engine/transport/http/raw-http-server.fixture.ts";
import type { UrlUpstream } from "../gateway-options.ts";
import { ask, call, json, open, said, stream } from "./proxy-http.fixture.ts";

const asking = { ...call, params: { ...call.params, _meta: { progressToken: "p" } } };
const result = { jsonrpc: "2.0", id: 1, result: said("done") };

/** A call that the server has, and the server's response to it. */
async function silentCall(headers: object = {}, options: Partial<UrlUpstream> = {}) {
  const responses: ServerResponse[] = [];
  const { url } = await open((_heard, response) => void responses.push(response), {
    progressEveryMs: 20,
    ...options,
  });
  const asked = ask(url, { body: asking, headers });
  await expect.poll(() => responses.length, quick).toBe(1);
  const beats = (): number => asked.heard().split("still running").length - 1;
  return { ...asked, beats, server: responses[0] as ServerResponse };
}

/** The messages of a stream, in their order. */
function messagesOf(text: string): { readonly id?: number; readonly params?: { progress: number } }[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as object);
}

function valuesOf(text: string): number[] {
  return messagesOf(text).flatMap(({ params }) => (params === undefined ? [] : [params.progress]));
}

describe("a silent call over HTTP", () => {
  it("is said to run on a stream that ends with the answer, though the server answers in JSON", async () => {
    const { answer, beats, server } = await silentCall();
    await expect.poll(beats, quick).toBeGreaterThan(2);
    server.writeHead(200, json).end(JSON.stringify(result));
    const { status, headers, text } = await answer;
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(messagesOf(text).at(-1)).toMatchObject({ id: 1, result: {} });
    const values = valuesOf(text);
    expect(values).toEqual(values.map((_value, at) => Number((0.001 * (at + 1)).toFixed(3))));
  });

  it("goes on with the server's own stream and values", async () => {
    const { answer, beats, server, heard } = await silentCall();
    await expect.poll(beats, quick).toBeGreaterThan(0);
    const progress = (value: number): object => ({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "p", progress: value },
    });
    server.writeHead(200, stream).write(sseOf(progress(0)) + sseOf(progress(5)));
    await expect.poll(() => heard().includes('"progress":5'), quick).toBe(true);
    server.end(sseOf(result));
    const { text } = await answer;
    const values = valuesOf(text);
    expect(values.every((value, at) => at === 0 || value > (values[at - 1] ?? value))).toBe(true);
    expect(values).toContain(5);
    expect(messagesOf(text).at(-1)).toMatchObject({ id: 1, result: {} });
  });

  it.each([
    ["breaks off", (server: ServerResponse) => void server.destroy()],
    ["answers with a status", (server: ServerResponse) => void server.writeHead(503).end("later")],
    ["refuses its session", (server: ServerResponse) => void server.writeHead(404).end("gone")],
  ])("is answered on its stream when the server %s", async (_what, does) => {
    const { answer, beats, server } = await silentCall();
    await expect.poll(beats, quick).toBeGreaterThan(0);
    does(server);
    const { status, text } = await answer;
    expect(status).toBe(200);
    expect(messagesOf(text).at(-1)).toMatchObject({ id: 1, result: { isError: true } });
  });

  it("is left alone if its client takes no stream, or if that is off", async () => {
    for (const [headers, options] of [
      [{ accept: "application/json" }, {}],
      [{}, { progressEveryMs: "off" }],
    ] as const) {
      const { answer, server } = await silentCall(headers, options);
      await new Promise((resolve) => void setTimeout(resolve, 60));
      server.writeHead(200, json).end(JSON.stringify(result));
      const got = await answer;
      expect(got.headers["content-type"]).toBe("application/json");
      expect(JSON.parse(got.text)).toMatchObject({ id: 1, result: {} });
    }
  });
});
