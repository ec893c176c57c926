import type { RequestListener } from "node:http";
import { type Socket, connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { until } from "../until.fixture.ts";
import type { FileRoom } from "../open-files.ts";
import { GuardedServer, type GuardedServerOptions } from "./guarded-server.ts";
import { receiveBody } from "./request-guard.ts";

const quick: GuardedServerOptions = {
  headersMs: 200,
  requestMs: 300,
  keepAliveMs: 60_000,
  lingerMs: 20,
  checkMs: 10,
};

const ends: (() => void)[] = [];

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

const reading: RequestListener = (request, response) =>
  receiveBody(request, response, 100, (body) => response.end(`read ${body.length}`));

interface OpenServer {
  readonly port: number;
  /** How many connections the server still holds. */
  readonly held: () => number;
}

async function open(
  options: GuardedServerOptions = {},
  take: RequestListener = reading,
): Promise<OpenServer> {
  const sockets = new Set<unknown>();
  const roomFor = (socket: Socket): FileRoom => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    return options.roomFor?.(socket) ?? "enough";
  };
  const server = new GuardedServer(
    { ...quick, ...options, roomFor },
    { take, failed: () => undefined, troubled: () => undefined },
  );
  const { port } = await server.listen(0, "127.0.0.1");
  ends.push(() => void server.close());
  return { port, held: () => sockets.size };
}

/** A client that sends `drip` again and again until it is refused, and never closes its side. Gives what it heard. */
function stubborn({ port }: OpenServer, first: string, drip = ""): () => string {
  const said: string[] = [];
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const dripping = drip === "" ? undefined : setInterval(() => socket.write(drip), 5);
  const stop = (): void => clearInterval(dripping);
  socket.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  socket.on("end", stop).on("error", stop).write(first);
  ends.push(() => {
    stop();
    socket.destroy();
  });
  return () => said.join("");
}

const ask = "GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
const post = "POST / HTTP/1.1\r\nhost: localhost\r\n";

describe("a connection is closed, although its client keeps its side open,", () => {
  it.each([
    ["that says nothing", "", "", 408],
    ["whose headers come drop by drop", "GET / HTTP/1.1\r\nhost: localhost\r\nx: ", "a", 408],
    ["whose body comes drop by drop", `${post}content-length: 99\r\n\r\n`, "", 408],
    ["whose body never ends", `${post}transfer-encoding: chunked\r\n\r\n`, "", 408],
    ["that sends what is no request", "no request\r\n\r\n", "", 400],
    ["whose headers are too long", `GET / HTTP/1.1\r\nx: ${"y".repeat(20_000)}`, "", 431],
    ["whose body is too long", `${post}content-length: 1000\r\n\r\n`, "x", 413],
  ])("%s", async (_, first, drip, status) => {
    const server = await open();
    const said = stubborn(server, first, drip);
    await until(() => said() !== "" && server.held() === 0);
    expect(said()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*connection: close`, "i"));
  });

  it("that waits too long for its next request, also where it sends line ends meanwhile", async () => {
    const server = await open({ keepAliveMs: 200 });
    const heard = [stubborn(server, ask), stubborn(server, ask, "\r\n")];
    await until(() => heard.every((said) => said() !== "") && server.held() === 0);
    for (const said of heard) expect(said()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("and nothing is written behind half an answer", async () => {
    const server = await open({}, (request, response) => {
      request.resume();
      response.writeHead(200, { "content-length": 10 });
      response.write("half");
    });
    const said = stubborn(server, `${post}content-length: 99\r\n\r\n`);
    await until(() => said() !== "" && server.held() === 0);
    expect(said()).toMatch(/half$/);
  });
});

describe("a request", () => {
  it("that names two hosts is refused with 400, whatever they are called", async () => {
    const server = await open();
    for (const second of ["Host: localhost", "hOsT: elsewhere"]) {
      const said = stubborn(server, `GET / HTTP/1.1\r\nhost: localhost\r\n${second}\r\n\r\n`);
      await until(() => said() !== "");
      expect(said()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"Bad Request: there must be one Host header/);
    }
  });

  it("that takes its time to be answered is not cut, also behind one that is answered at once", async () => {
    let asked = 0;
    const server = await open({ keepAliveMs: 200 }, (_, response) => {
      asked += 1;
      if (asked === 1) response.end("soon");
      else setTimeout(() => response.end("late"), 900);
    });
    const said = stubborn(server, ask + ask);
    await until(() => said().includes("late") || (asked > 0 && server.held() === 0));
    expect(said()).toMatch(/soon[\s\S]*late/);
  });
});

describe("where files are short", () => {
  it("clients get 503 and the time to wait, or nothing, and are served again when there is room", async () => {
    const rooms: FileRoom[] = ["low", "low", "out"];
    const onFull = vi.fn<() => void>();
    const server = await open({ onFull, roomFor: () => rooms.shift() ?? "tight" });
    const refused = stubborn(server, ask);
    await until(() => refused() !== "" && server.held() === 0);
    expect(refused()).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 5[\s\S]*"error_code":"UNAVAILABLE"/i);
    for (const first of ["", ask]) {
      const said = stubborn(server, first);
      const left = rooms.length;
      await until(() => rooms.length < left && server.held() === 0);
      expect(said()).toBe("");
    }
    const served = stubborn(server, ask);
    await until(() => served() !== "");
    expect(served()).toMatch(/^HTTP\/1\.1 200 /);
    expect(onFull).toHaveBeenCalledOnce();
  });
});
