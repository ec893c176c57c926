import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import { makeCertificate } from "../../../../test/services/certificate.fixture.ts";
import {
  type PostgresServer,
  hasPostgres,
  startPostgres,
} from "../../../../test/services/postgres.fixture.ts";
import { hasOpenssl } from "../../../../test/services/redis.fixture.ts";
import { postgresStore } from "./postgres-store.ts";

/** Runs the fixture that puts and gets one entry; gives how it ended. */
async function runFixture(url: string, env: NodeJS.ProcessEnv): Promise<number | null> {
  const fixture = new URL("postgres-idle.fixture.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", fixture, url, "must"], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  return new Promise((resolve) => child.once("exit", resolve));
}

describe.runIf(hasPostgres() && hasOpenssl() && isFullRun)("postgresStore over TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "waybill-tls-"));
  let server: PostgresServer;
  let cert: string;
  let ca: string;

  beforeAll(async () => {
    const made = makeCertificate(folder);
    ca = readFileSync(made.cert, "utf8");
    cert = made.cert;
    // PostgreSQL reads both as its own user, who must own the key.
    chmodSync(folder, 0o755);
    const settings = { ssl: "on", ssl_cert_file: made.cert, ssl_key_file: made.key };
    server = await startPostgres({ files: [made.key, made.cert], settings });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const secure = (): string => `${server.url.replace("127.0.0.1", "localhost")}?sslmode=verify-full`;

  it("needs nothing but the address where the certificate's issuer is known to Node", async () => {
    expect(await runFixture(secure(), { NODE_EXTRA_CA_CERTS: cert })).toBe(0);
  });

  it("does not talk to a server whose certificate is not trusted", async () => {
    expect(await runFixture(secure(), {})).toBe(1);
    const store = postgresStore(secure());
    onTestFinished(() => store.close());
    const failure: unknown = await store.put("a", ["[1]"]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "UNREACHABLE" });
    expect(String(failure)).toMatch(/certificate/i);
    expect(String(failure)).not.toContain("right-word");
  });

  it("compares the certificate with the address, be it a name or a number", async () => {
    // Both lead to the server; the certificate names only one of them.
    const { port } = server;
    const at = (host: string) => `postgres://waybill:right-word@${host}:${port}/postgres?sslmode=require`;
    expect(await runFixture(at("127.0.0.1"), { NODE_EXTRA_CA_CERTS: cert })).toBe(0);
    expect(await runFixture(at("0.0.0.0"), { NODE_EXTRA_CA_CERTS: cert })).toBe(1);
  });

  it("takes a pool with certificates of its own, and tells what it is connected over", async () => {
    const { port } = server;
    const account = {
      host: "localhost",
      port,
      user: "waybill",
      password: "right-word",
      database: "postgres",
    };
    const pool = new Pool({ ...account, ssl: { ca } });
    const store = postgresStore("postgres://ignored/ignored", { connect: () => pool });
    onTestFinished(() => store.close());
    const { entry } = await store.put("a", ["[1]"]);
    expect(await store.has("a", entry.hash)).toBe(true);
    const { rows } = await pool.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()");
    expect(rows).toEqual([{ ssl: true }]);
  });
});
