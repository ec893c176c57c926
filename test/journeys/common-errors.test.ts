import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, mkdir, open, readFile, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import type { Fault } from "../../src/core/contract/outcome.ts";
import { faults } from "../../src/core/contract/faults.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";
import { runTool } from "../../src/doors/testing/run-tool.ts";

/** The failure that a caller is told of when a handler fails like this, and whether the log has the error itself. */
async function failing(
  run: () => unknown,
  mapError?: (error: unknown) => ReturnType<typeof faults.conflict>,
) {
  const logged: unknown[] = [];
  const note = (fields: object): void => void logged.push(fields);
  const logger = { debug: note, info: note, warn: note, error: note };
  const tool = defineTool("fail", { description: "Fails" }, () => run());
  const contract = {
    logger,
    logLevel: "debug" as const,
    validate: "always" as const,
    ...(mapError === undefined ? {} : { mapError }),
  };
  const { outcome, result } = await runTool(tool, {}, { contract });
  if (outcome.ok) throw new Error("The tool did not fail.");
  return { fault: outcome.fault, sent: JSON.stringify(result), log: JSON.stringify(logged) };
}

const refusing = createServer((request, response) => {
  const status = Number(new URL(request.url ?? "/", "http://x").searchParams.get("status") ?? 200);
  response.writeHead(status, status === 429 ? { "retry-after": "7" } : {});
  response.end("no");
});
let base = "";
let folder = "";
let closedPort = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => refusing.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  closedPort = (gone.address() as AddressInfo).port;
  await new Promise((resolve) => gone.close(resolve));
  folder = await mkdtemp(join(tmpdir(), "waybill-errors-"));
  await mkdir(join(folder, "full"));
  await writeFile(join(folder, "full", "one.txt"), "1");
});
afterAll(async () => {
  refusing.closeAllConnections();
  await new Promise((resolve) => refusing.close(resolve));
  await rm(folder, { recursive: true });
});

/** Errors that the platform itself makes. */
const real: readonly (readonly [string, () => unknown, string])[] = [
  ["a missing file", () => readFile(join(folder, "absent.txt")), "NOT_FOUND"],
  ["a missing folder", () => readdir(join(folder, "absent")), "NOT_FOUND"],
  ["a file that exists", () => open(join(folder, "full", "one.txt"), "wx"), "DUPLICATE_ENTRY"],
  ["a folder read as a file", () => readFile(folder), "INVALID_PATH"],
  ["a file used as a folder", () => readFile(join(folder, "full", "one.txt", "x")), "INVALID_PATH"],
  ["a folder that is not empty", () => rmdir(join(folder, "full")), "CONFLICT"],
  ["a refused connection", () => fetch(`http://127.0.0.1:${closedPort}`), "UNAVAILABLE"],
  ["a host that is not there", () => fetch("http://nowhere.invalid"), "UNAVAILABLE"],
  ["an aborted fetch", () => fetch(base, { signal: AbortSignal.abort() }), "UNAVAILABLE"],
  [
    "a fetch that ran out of time",
    () => AbortSignal.timeout(1).throwIfAborted() ?? waitFor(AbortSignal.timeout(1)),
    "TIMEOUT",
  ],
  ["a program that is not installed", () => promisify(execFile)("waybill-no-such-program"), "INTERNAL_ERROR"],
  ["a handler's own ZodError", () => z.object({ id: z.string() }).parse({}), "INTERNAL_ERROR"],
  ["a mistake in the code", () => (undefined as unknown as { x: { y: number } }).x.y, "INTERNAL_ERROR"],
  [
    "a missing file of the server's own",
    async () => {
      await readFile(join(folder, "settings.json")).catch((cause: unknown) => {
        throw new Error("The settings cannot be read", { cause });
      });
    },
    "INTERNAL_ERROR",
  ],
];

async function waitFor(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  throw signal.reason;
}

type Client = (status: number) => unknown;

/** Errors as HTTP clients shape them; each has the status in another place. */
const clients: Readonly<Record<string, Client>> = {
  axios: (status) =>
    Object.assign(new Error(`Request failed with status code ${status}`), {
      name: "AxiosError",
      code: status < 500 ? "ERR_BAD_REQUEST" : "ERR_BAD_RESPONSE",
      status,
      response: { status, headers: { "retry-after": "7" }, data: "secret" },
    }),
  got: (status) =>
    Object.assign(new Error(`Response code ${status}`), {
      name: "HTTPError",
      code: "ERR_NON_2XX_3XX_RESPONSE",
      response: { statusCode: status, headers: { "retry-after": "7" } },
    }),
  ky: (status) =>
    Object.assign(new Error(`Request failed with status code ${status}: GET ${base}`), {
      name: "HTTPError",
      response: new Response("no", { status, headers: { "retry-after": "7" } }),
    }),
  octokit: (status) =>
    Object.assign(new Error("Not Found - https://docs.example.com/rest"), {
      name: "HttpError",
      status,
      request: { method: "GET", url: "https://api.example.com/repos/a/b", headers: {} },
      response: { status, headers: { "retry-after": "7" } },
    }),
  ofetch: (status) =>
    Object.assign(new Error(`[GET] "${base}": ${status}`), {
      name: "FetchError",
      statusCode: status,
      status,
      response: { status, headers: new Headers({ "retry-after": "7" }) },
    }),
  "a wrapper of fetch": (status) =>
    Object.assign(new Error(`GET ${base} failed`), { status, headers: new Headers({ "retry-after": "7" }) }),
  "AWS SDK": (status) =>
    Object.assign(new Error("Rate exceeded"), { $metadata: { httpStatusCode: status }, $fault: "client" }),
};

const statuses: readonly (readonly [number, string])[] = [
  [400, "INTERNAL_ERROR"],
  [401, "INTERNAL_ERROR"],
  [403, "INTERNAL_ERROR"],
  [404, "NOT_FOUND"],
  [408, "TIMEOUT"],
  [409, "CONFLICT"],
  [410, "NOT_FOUND"],
  [422, "INTERNAL_ERROR"],
  [429, "RATE_LIMIT_EXCEEDED"],
  [500, "UNAVAILABLE"],
  [502, "UNAVAILABLE"],
  [503, "UNAVAILABLE"],
  [504, "TIMEOUT"],
];

/** Errors by their code or name alone. */
const coded: readonly (readonly [object, string])[] = [
  [{ code: "EACCES", syscall: "open", path: "/srv/private/a" }, "FORBIDDEN"],
  [{ code: "EPERM", syscall: "unlink" }, "FORBIDDEN"],
  [{ code: "ENOSPC", syscall: "write" }, "RESOURCE_EXHAUSTED"],
  [{ code: "ECONNRESET" }, "UNAVAILABLE"],
  [{ code: "ETIMEDOUT" }, "TIMEOUT"],
  [{ code: "ECONNABORTED", name: "AxiosError" }, "TIMEOUT"],
  [{ code: "ERR_NETWORK", name: "AxiosError" }, "UNAVAILABLE"],
  [{ code: "ERR_CANCELED", name: "CanceledError" }, "UNAVAILABLE"],
  [{ name: "TypeError", message: "fetch failed", cause: { code: "UND_ERR_CONNECT_TIMEOUT" } }, "TIMEOUT"],
  [{ name: "TypeError", message: "fetch failed", cause: { code: "UND_ERR_SOCKET" } }, "UNAVAILABLE"],
  [
    { name: "TypeError", message: "fetch failed", cause: { errors: [{ code: "ECONNREFUSED" }] } },
    "UNAVAILABLE",
  ],
  [{ name: "TypeError", message: "Failed to fetch" }, "UNAVAILABLE"],
  [{ code: "P2002", name: "PrismaClientKnownRequestError" }, "INTERNAL_ERROR"],
  [{ code: 11_000, name: "MongoServerError" }, "INTERNAL_ERROR"],
  [{ code: "constructor" }, "INTERNAL_ERROR"],
  [{ status: "404" }, "INTERNAL_ERROR"],
];

function isPathFree({ message, remediation = "", details = {} }: Fault): boolean {
  const said = `${message} ${remediation} ${JSON.stringify(details)}`;
  return ![folder, base, "127.0.0.1", "/srv", "absent.txt", "secret", "api.example.com"].some((part) =>
    said.includes(part),
  );
}

describe("an error that every program throws", () => {
  it.each(real)("gets its code: %s", async (_name, run, code) => {
    const { fault, sent, log } = await failing(run);
    expect(fault.code).toBe(code);
    expect(isPathFree(fault)).toBe(true);
    expect(sent).not.toContain(folder);
    expect(log).toContain('"err"');
  });

  it.each(Object.keys(clients))("gets the code of a downstream's status, as %s shapes it", async (name) => {
    for (const [status, code] of statuses) {
      const { fault } = await failing(() => Promise.reject(clients[name]?.(status)));
      expect({ status, code: fault.code }).toEqual({ status, code });
      expect(isPathFree(fault)).toBe(true);
      const hasWait = name !== "AWS SDK" && (status === 429 || status === 503);
      expect(fault.data?.["retry_after_seconds"]).toBe(hasWait ? 7 : undefined);
    }
  });

  it.each(coded)("gets its code: %j", async (shape, code) => {
    const { fault } = await failing(() => {
      throw Object.assign(new Error("ENOENT /srv/secret"), shape);
    });
    expect(fault.code).toBe(code);
    expect(isPathFree(fault)).toBe(true);
  });

  it("has the code of the author's mapError first", async () => {
    const { fault } = await failing(
      () => readFile(join(folder, "absent.txt")),
      () => faults.conflict("Mine"),
    );
    expect(fault).toMatchObject({ code: "CONFLICT", message: "Mine" });
  });

  it("stays internal when looking at it throws", async () => {
    const hostile = new Error("no");
    Object.defineProperty(hostile, "response", {
      get: () => {
        throw new Error("/srv/secret");
      },
    });
    expect((await failing(() => Promise.reject(hostile))).fault.code).toBe("INTERNAL_ERROR");
  });
});
