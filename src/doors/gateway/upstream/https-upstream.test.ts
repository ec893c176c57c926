import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import { type HttpTarget, openTarget, sendRequest } from "../../../engine/transport/http/http-target.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.runIf(isFullRun && hasOpenssl)("a server behind https", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-https-"));
  const opened: (() => void)[] = [];
  let port = 0;
  let certificate = "";
  beforeAll(async () => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const kind = [
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-x509",
      "-days",
      "2",
    ];
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    spawnSync("openssl", ["req", ...kind, ...names, "-keyout", key, "-out", cert]);
    certificate = readFileSync(cert, "utf8");
    const server = createServer({ key: readFileSync(key), cert: certificate }, (_request, response) =>
      response.end("hello"),
    );
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
    opened.push(() => {
      server.closeAllConnections();
      server.close();
    });
  });
  afterAll(() => {
    for (const close of opened) close();
    rmSync(folder, { recursive: true });
  });

  function ask(trusts: boolean, host: string): Promise<string> {
    const target: HttpTarget = openTarget(`https://${host}:${port}/mcp`);
    opened.push(() => target.close());
    // What NODE_EXTRA_CA_CERTS does for a whole process.
    if (trusts) Object.assign((target.agent as unknown as { options: object }).options, { ca: certificate });
    return new Promise((resolve) => {
      sendRequest(
        target,
        { method: "GET", headers: {}, isRepeatable: true },
        {
          response: (response) => {
            response.resume();
            resolve(`HTTP ${response.statusCode}`);
          },
          failed: ({ message, executed }) => resolve(`${message}, executed: ${executed}`),
        },
      );
    });
  }

  it("is reached where its certificate is trusted, and only under the name in it", async () => {
    expect(await ask(true, "localhost")).toBe("HTTP 200");
    expect(await ask(true, "127.0.0.1")).toMatch(/could not be reached \(ERR_TLS_CERT_ALTNAME_INVALID\)/);
  });

  it("is not sent anything where its certificate is not trusted", async () => {
    expect(await ask(false, "localhost")).toBe(
      "The server could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT), executed: no",
    );
  });
});
