import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { isFullRun } from "../arbitrary/law-runs.ts";
import type { Era } from "./attach-clients.fixture.ts";
import { browse } from "./authorization-server.fixture.ts";
import { type World, type WorldOptions, openWorld } from "./oauth-world.fixture.ts";

const TIMEOUT_MS = 90_000;

type Before = NonNullable<WorldOptions["beforeAuthorization"]>;

const isMetadata = ({ url = "" }: IncomingMessage): boolean => url.startsWith("/.well-known/");

const json = (response: ServerResponse, body: unknown): true => {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  return true;
};

/** Metadata of an authorization server with these members changed. */
const metadataWith =
  (changed: (origin: string) => object): Before =>
  (request, response) => {
    if (!isMetadata(request)) return false;
    const origin = `http://${request.headers.host}`;
    return json(response, {
      issuer: origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/reg`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      ...changed(origin),
    });
  };

/** A server elsewhere, and what it was sent. */
async function elsewhere(): Promise<{ readonly origin: string; readonly got: string[] }> {
  const got: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      got.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)} ${body}`);
      json(response, {});
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

/** What the user hears who calls a tool, or who cannot even connect. */
async function refusalOf(world: World): Promise<string> {
  try {
    const gateway = await world.connect();
    const { json: said, isError } = await gateway.call("read");
    expect(isError).toBe(true);
    expect(world.server.shown).toEqual([]);
    return said;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

/** By `waybill login`, which says it in both eras alike. */
async function saidByLogin(world: World): Promise<string> {
  const { code, stdout, stderr } = await world.login(["--timeout", "8"]);
  expect(code).not.toBe(0);
  expect(world.loginFiles()).toEqual([]);
  expect(world.server.shown).toEqual([]);
  return stdout + stderr;
}

interface Hostile {
  readonly options: () => Promise<WorldOptions> | WorldOptions;
  readonly says: RegExp;
}

/** Authorization servers that are missing, broken or hostile, and what a person reads of each. */
const hostile: Readonly<Record<string, Hostile>> = {
  "metadata missing": {
    options: () => ({
      beforeAuthorization: (request, response) => {
        if (isMetadata(request)) response.writeHead(404).end();
        return isMetadata(request);
      },
    }),
    says: /publishes no metadata/,
  },
  "metadata that are no JSON": {
    options: () => ({
      beforeAuthorization: (request, response) => {
        if (isMetadata(request))
          response.writeHead(200, { "content-type": "application/json" }).end("<html>");
        return isMetadata(request);
      },
    }),
    says: /metadata of the authorization server cannot be used/,
  },
  "metadata of 10 MB": {
    options: () => ({
      beforeAuthorization: (request, response) =>
        isMetadata(request) && json(response, { issuer: "x".repeat(10_000_000) }),
    }),
    says: /answered with more than 262144 bytes/,
  },
  "an authorization server at the metadata address of a cloud": {
    options: () => ({ authorizationServers: () => ["http://169.254.169.254"] }),
    says: /is an address that nothing may connect to/,
  },
  "an address to open that is a script": {
    options: () => ({
      beforeAuthorization: metadataWith(() => ({ authorization_endpoint: "javascript:alert(1)" })),
    }),
    says: /cannot be used/,
  },
  "an address to open that is a file": {
    options: () => ({
      beforeAuthorization: metadataWith(() => ({ authorization_endpoint: "file:///etc/passwd" })),
    }),
    says: /no browser may open/,
  },
  "an issuer of another name": {
    options: () => ({ beforeAuthorization: metadataWith(() => ({ issuer: "https://issuer.example.com" })) }),
    says: /names another issuer/,
  },
  "metadata behind a redirect to elsewhere": {
    options: async () => {
      const { origin } = await elsewhere();
      return {
        beforeAuthorization: (request, response) => {
          if (isMetadata(request)) response.writeHead(302, { location: `${origin}${request.url}` }).end();
          return isMetadata(request);
        },
      };
    },
    says: /publishes no metadata/,
  },
  "no registration": {
    options: () => ({
      beforeAuthorization: metadataWith(() => ({ registration_endpoint: undefined })),
    }),
    says: /register one there, and give its id with --client-id/,
  },
};

const eras: readonly Era[] = isFullRun ? ["legacy", "modern"] : ["legacy"];

describe.each(eras)("a sign-in to a server of the %s era", (era) => {
  it.each(Object.entries(hostile))(
    "ends at %s, and says why",
    async (_name, { options, says }) => {
      const world = await openWorld(era, await options());
      expect(await saidByLogin(world)).toMatch(says);
      expect(await refusalOf(world)).toMatch(era === "legacy" ? says : /sign-in|Version negotiation/);
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "takes no code that another issuer sends, or that comes with another state",
    async () => {
      const world = await openWorld(era);
      const gateway = await world.connect();
      const { address = "" } = await gateway.call("read");
      const visit = await browse(address, (next) => next.includes("/callback?"));
      const returned = new URL(visit.addresses.at(-1) ?? "");
      const forged = new URL(returned);
      forged.searchParams.set("state", "another");
      expect((await browse(forged.href)).text).toContain("another sign-in than this one");
      returned.searchParams.set("iss", "https://issuer.example.com");
      expect((await browse(returned.href)).text).toContain("names another issuer");
      expect((await gateway.call("read")).json).toContain("UNAUTHORIZED");
      expect(world.authorization.asked).not.toContain("/token authorization_code");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "sends neither code nor token where a redirect points",
    async () => {
      const other = await elsewhere();
      let redirects: "token" | "server" = "token";
      const world = await openWorld(era, {
        beforeAuthorization: (request, response) => {
          const isToken = redirects === "token" && request.url === "/token";
          if (isToken) response.writeHead(307, { location: `${other.origin}/token` }).end();
          return isToken;
        },
        beforeServer: (request, response) => {
          const isCall =
            redirects === "server" && request.url === "/mcp" && request.headers.authorization !== undefined;
          if (isCall) response.writeHead(307, { location: `${other.origin}/mcp` }).end();
          return isCall;
        },
      });
      expect((await world.login(["--timeout", "8"])).code).not.toBe(0);
      expect(other.got).toEqual([]);
      redirects = "server";
      expect((await world.login()).code).toBe(0);
      await refusalOf(world);
      expect(other.got).toEqual([]);
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );
});

describe("a client of the modern era before a server that knows only the legacy era", () => {
  it(
    "is greeted before the sign-in, and told to connect again after it",
    async () => {
      const world = await openWorld("legacy");
      const gateway = await world.connect({}, "modern");
      expect(await gateway.tools()).toEqual(["guarded_sign_in"]);
      const { address = "" } = await gateway.call("guarded_sign_in");
      expect((await browse(address)).text).toContain("You are signed in.");
      expect((await gateway.call("read")).json).toContain("speaks an earlier revision");
      await expect(world.connect({}, "modern")).rejects.toThrow(/negotiation|discover/i);
      const again = await world.connect({}, "legacy");
      expect((await again.call("read")).text).toBe("read by ada");
    },
    TIMEOUT_MS,
  );
});

describe("waybill login", () => {
  it(
    "opens the user's browser, which the gateway never does",
    async () => {
      const world = await openWorld("legacy");
      const opened = join(world.home, "opened");
      const browser = join(world.home, "browser");
      writeFileSync(browser, `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 });
      world.env["BROWSER"] = browser;
      const gateway = await world.connect();
      expect((await gateway.call("read")).json).toContain("UNAUTHORIZED");
      expect(existsSync(opened)).toBe(false);
      let isBegun = false;
      const { code, stderr } = await world.run(["login", world.server.url], (said) => {
        const [, address] = /^ {2}(http\S+)$/m.exec(said) ?? [];
        if (address === undefined || isBegun) return;
        isBegun = true;
        const read = (): string => readFileSync(opened, "utf8").trim();
        void vi.waitFor(() => expect(read()).toBe(address), { timeout: 10_000 }).then(() => browse(read()));
      });
      expect(code).toBe(0);
      expect(stderr).toContain("Your browser shows this address");
      // The gateway looks for logins of other processes once in a second.
      await sleep(1_100);
      expect((await gateway.call("read")).text).toBe("read by ada");
    },
    TIMEOUT_MS,
  );

  it(
    "takes the address on which a browser elsewhere ended",
    async () => {
      const world = await openWorld("legacy");
      let paste: (line: string) => void = () => undefined;
      const typed = new Promise<string>((resolve) => (paste = resolve));
      let isBegun = false;
      const told = (said: string): void => {
        const [, address] = /^ {2}(http\S+)$/m.exec(said) ?? [];
        if (address === undefined || isBegun) return;
        isBegun = true;
        const isBack = (next: string): boolean => next.includes("/callback?");
        void browse(address, isBack).then(({ addresses }) => paste(`nothing of use\n${addresses.at(-1)}\n`));
      };
      const { code, stdout } = await world.run(["login", world.server.url, "--no-browser"], told, typed);
      expect([code, stdout]).toEqual([0, expect.stringContaining("Signed in to")]);
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "takes a client of one's own with a secret, and repeats neither",
    async () => {
      const world = await openWorld("legacy", {
        clients: [
          {
            client_id: "own-client",
            client_secret: "own-secret-0123456789-own-secret",
            application_type: "native",
            token_endpoint_auth_method: "client_secret_basic",
            grant_types: ["authorization_code", "refresh_token"],
            redirect_uris: ["http://127.0.0.1/callback"],
          },
        ],
        env: { OWN_SECRET: "own-secret-0123456789-own-secret" },
      });
      const words = ["--client-id", "own-client", "--client-secret", "${OWN_SECRET}"];
      const { code, stdout } = await world.login(words);
      expect([code, stdout]).toEqual([
        0,
        `Signed in to ${world.server.url}. The login is kept, not encrypted, readable for this user alone.\n`,
      ]);
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      const listed = await world.run(["logins", "--json"]);
      expect(listed.stdout).toContain('"state":"signed in, renews itself"');
      expect(world.leaks()).toEqual([]);
      expect(world.written.join("")).not.toContain("own-secret");
    },
    TIMEOUT_MS,
  );

  it(
    "encrypts with WAYBILL_SECRET, and says so where another one is set",
    async () => {
      const world = await openWorld("legacy", { env: { WAYBILL_SECRET: "a secret of this team" } });
      expect((await world.login()).stdout).toContain("encrypted with WAYBILL_SECRET");
      const kept = world.loginFiles()[0]?.text ?? "";
      expect([...world.authorization.secrets].filter((secret) => kept.includes(secret))).toEqual([]);
      const gateway = await world.connect();
      expect((await gateway.call("read")).text).toBe("read by ada");
      await gateway.close();
      world.env["WAYBILL_SECRET"] = "another secret than that one";
      const { stdout } = await world.run(["logins"]);
      expect(stdout).toContain("encrypted with another WAYBILL_SECRET");
      const strange = await world.connect();
      expect((await strange.call("read")).json).toContain("another WAYBILL_SECRET");
      expect(world.leaks()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it("says so where a server asks for no sign-in", async () => {
    const world = await openWorld("legacy", {
      beforeServer: (request, response) => {
        if (request.url === "/mcp") response.writeHead(400).end();
        return request.url === "/mcp";
      },
    });
    expect((await world.run(["login", world.server.url])).stdout).toContain("asks for no sign-in (HTTP 400)");
  });
});
