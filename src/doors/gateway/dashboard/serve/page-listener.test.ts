import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, openPage } from "./dashboard.fixture.ts";

const json = { "content-type": "application/json" };

describe("signing in", () => {
  it("takes the token of the link once, and knows the browser by its cookie from then on", async () => {
    const page = await openPage();
    const entered = await page.ask(`/?token=${page.token}`);
    expect(entered).toMatchObject({ status: 303, headers: { location: "/" } });
    const [set = ""] = entered.headers["set-cookie"] ?? [];
    expect(set).toMatch(/^waybill_dashboard_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    const cookie = set.split(";")[0] ?? "";
    expect(await page.ask("/", { headers: { cookie } })).toMatchObject({
      status: 200,
      body: expect.stringContaining("<title>Waybill</title>") as string,
    });
    // The same link in the same browser leads to the page; in another browser it is used up.
    expect(await page.ask(`/?token=${page.token}`, { headers: { cookie } })).toMatchObject({ status: 303 });
    expect(await page.ask(`/?token=${page.token}`)).toMatchObject({ status: 401 });
  });

  it("prints a new link when a browser comes without one, the same until it is used", async () => {
    const page = await openPage();
    const refused = await page.ask("/");
    expect(refused).toMatchObject({ status: 401, headers: { "content-type": "text/html; charset=utf-8" } });
    expect(refused.body).toContain("new sign-in link");
    expect(refused.body).not.toContain(page.token);
    await page.ask("/?token=wrong");
    // Once for both: a caller who asks again and again fills no log.
    expect(page.announced).toEqual([`http://127.0.0.1:${page.port}/?token=${page.token}`]);
  });

  it("goes on by a page of its own after a click on another site, whose redirects carry no strict cookie", async () => {
    const page = await openPage();
    const entered = await page.ask(`/?token=${page.token}`, { headers: { "sec-fetch-site": "cross-site" } });
    expect(entered.status).toBe(200);
    expect(entered.headers["set-cookie"]).toHaveLength(1);
    expect(entered.body).toContain('http-equiv="refresh" content="0; url=/"');
  });

  it("gives nothing to a browser that is not signed in: no file, no answer, no event", async () => {
    const page = await openPage({ actions: true, bodies: true });
    for (const path of ["/index.html", "/assets/page-1.js"])
      expect(await page.ask(path)).toMatchObject({ status: 401 });
    for (const path of ["/api/hello", "/api/events", "/api/none"]) {
      const { status, body } = await page.ask(path, { headers: { cookie: "waybill_dashboard_0=x; a" } });
      expect(status).toBe(401);
      expect(JSON.parse(body)).toMatchObject({ error: { code: "sign-in" } });
    }
  });

  it("keeps two gateways of one machine apart", async () => {
    const [first, second] = [await openPage(), await openPage()];
    const cookies = `${await first.cookie()}; ${await second.cookie()}`;
    expect(await first.ask("/api/hello", { headers: { cookie: cookies } })).toMatchObject({ status: 200 });
    expect(await second.ask("/api/hello", { headers: { cookie: cookies } })).toMatchObject({ status: 200 });
    expect(await second.ask("/api/hello", { headers: { cookie: await first.cookie() } })).toMatchObject({
      status: 401,
    });
  });
});

describe("the server of the page", () => {
  it("answers only to names of this machine, and to no page but its own", async () => {
    const page = await openPage();
    const cookie = await page.cookie();
    const hello = (headers: Record<string, string>) =>
      page.ask("/api/hello", { headers: { cookie, ...headers } });
    const own = `http://127.0.0.1:${page.port}`;
    expect(await hello({ origin: own, "sec-fetch-site": "same-origin" })).toMatchObject({ status: 200 });
    expect(await hello({ host: `localhost:${page.port}` })).toMatchObject({ status: 200 });
    for (const headers of [
      { host: "evil.example" },
      { host: "127.0.0.1.evil.example:3334" },
      { origin: "https://evil.example" },
      { origin: "http://127.0.0.1:1" },
      { origin: "null" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ])
      expect(await hello(headers)).toMatchObject({ status: 403 });
  });

  it("puts the policy on every answer, whatever it is", async () => {
    const page = await openPage();
    const cookie = await page.cookie();
    const answers = [
      await page.ask("/"),
      await page.ask("/", { headers: { cookie } }),
      await page.ask("/assets/page-1.js", { headers: { cookie } }),
      await page.ask("/none", { headers: { cookie } }),
      await page.ask("/api/hello", { headers: { cookie } }),
      await page.ask("/api/none", { headers: { cookie } }),
      await page.ask("/", { headers: { host: "evil.example" } }),
      await page.ask("/", { method: "DELETE", headers: { cookie } }),
      await page.ask("//evil.example/x", { headers: { cookie } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200, 404, 200, 404, 403, 405, 404]);
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
    const broken = await new Promise<string>((resolve) => {
      const socket = connect(page.port, "127.0.0.1", () => socket.write("NONSENSE\r\n\r\n"));
      let text = "";
      socket.on("data", (chunk) => (text += String(chunk))).on("close", () => resolve(text));
    });
    expect(broken).toContain("content-security-policy: default-src 'none'");
  });

  it("gives only files of the built page, by no other path", async () => {
    const page = await openPage();
    const headers = { cookie: await page.cookie() };
    const asset = await page.ask("/assets/page-1.js", { headers });
    expect(asset).toMatchObject({ status: 200, body: "export const page = 1;" });
    expect(asset.headers["cache-control"]).toContain("immutable");
    expect((await page.ask("/", { headers })).headers["cache-control"]).toBe("no-store");
    for (const path of [
      "/notes.md",
      "/../package.json",
      "/assets/../../package.json",
      "/%2e%2e/%2e%2e/package.json",
      "/..%2f..%2fpackage.json",
      "/assets%2fpage-1.js",
      "/assets",
      "/C:\\windows",
      "/\0",
    ])
      expect(await page.ask(encodeURI(path).replaceAll("%25", "%"), { headers })).toMatchObject({
        status: 404,
      });
  });

  it("sends files shorter to browsers that can read that", async () => {
    const page = await openPage();
    const cookie = await page.cookie();
    for (const [accepted, encoding] of [
      ["gzip, deflate, br", "gzip"],
      ["br, gzip;q=0", undefined],
      ["identity", undefined],
    ] as const) {
      const { headers } = await page.ask("/", { headers: { cookie, "accept-encoding": accepted } });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers.vary).toBe("accept-encoding");
    }
  });

  it("says what to do where the page was not built", async () => {
    const page = await openPage({}, undefined, "/no/such/folder");
    const answer = await page.ask("/", { headers: { cookie: await page.cookie() } });
    expect(answer.status).toBe(503);
    expect(answer.body).toContain("npm run build");
  });

  it("takes the port it is given, and says so where something else has it", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    await expect(openPage({ port })).rejects.toThrow("EADDRINUSE");
  });

  it("takes 3334 where no port is named, or a free one", async () => {
    const first = await openPage({ port: undefined });
    const second = await openPage({ port: undefined });
    expect(second.port).not.toBe(first.port);
    expect(await ask(second.port, "/")).toMatchObject({ status: 401 });
  });

  it("ends every connection when it closes", async () => {
    const page = await openPage();
    const asked = page.ask("/api/events", { headers: { cookie: await page.cookie(), ...json } });
    await page.close();
    await expect(asked.catch((error: unknown) => error)).resolves.toBeDefined();
    await expect(page.ask("/")).rejects.toThrow("ECONNREFUSED");
  });
});
