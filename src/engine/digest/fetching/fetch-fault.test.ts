import { afterAll, describe, expect, it } from "vitest";
import { createFetcher } from "./create-fetcher.ts";
import { startServer } from "./loopback-server.fixture.ts";

const server = await startServer((request, response) => {
  const [, status, retryAfter] = (request.url ?? "").split("/");
  if (retryAfter !== undefined) response.setHeader("retry-after", decodeURIComponent(retryAfter));
  response.writeHead(Number(status)).end("a text with a secret");
});
afterAll(() => server.close());

const fetchDocument = createFetcher({ allowPrivate: [`127.0.0.1:${server.port}`] });
const fetchStatus = (path: string): Promise<unknown> =>
  fetchDocument(`http://127.0.0.1:${server.port}/${path}`);

describe("statusFault", () => {
  it.each([
    [206, "UNAVAILABLE"],
    [300, "UNAVAILABLE"],
    [304, "UNAVAILABLE"],
    [400, "VALIDATION_ERROR"],
    [401, "UNAUTHORIZED"],
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [407, "UNAUTHORIZED"],
    [408, "UNAVAILABLE"],
    [410, "NOT_FOUND"],
    [418, "VALIDATION_ERROR"],
    [429, "RATE_LIMIT_EXCEEDED"],
    [451, "FORBIDDEN"],
    [500, "UNAVAILABLE"],
    [503, "UNAVAILABLE"],
    [999, "UNAVAILABLE"],
  ])("%i is %s", async (status, code) => {
    const error: unknown = await fetchStatus(String(status)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      name: "ToolFault",
      code,
      details: { reason: "status", http_status: status },
    });
    expect(JSON.stringify((error as { fault: unknown }).fault)).not.toContain("secret");
  });

  it.each([
    ["429/7", 7],
    ["429", 60],
    ["429/soon", 60],
    ["429/0", 1],
    ["429/99999999999", 86_400],
    ["429/-5", 60],
    [`503/${encodeURIComponent("Wed, 21 Oct 2015 07:28:00 GMT")}`, 1],
    ["503/120", 120],
  ])("%s says to wait %i seconds", async (path, seconds) => {
    await expect(fetchStatus(path)).rejects.toMatchObject({
      fault: { data: { retry_after_seconds: seconds } },
    });
  });
});
