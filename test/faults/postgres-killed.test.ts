// PostgreSQL is killed and started again while two processes write. What a put announced is readable afterwards, by
// another process too; nothing is started anew but PostgreSQL itself.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { postgresStore } from "../../src/engine/archive/postgres/postgres-store.ts";
import { hasPostgres, startPostgres } from "../services/postgres.fixture.ts";

/** The full run takes a few; `WAYBILL_TEST_KILLS=100` takes as many as that. */
const KILLS = Number(process.env["WAYBILL_TEST_KILLS"] ?? "5");
const WAIT = { timeout: 120_000, interval: 10 };

interface Writer {
  readonly announced: Set<string>;
  readonly ended: Promise<number | null>;
  stop(): void;
}

function startWriter(url: string, name: string): Writer {
  const script = fileURLToPath(new URL("postgres-writer.fixture.ts", import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", script, url, name], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const announced = new Set<string>();
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on("line", (line) => announced.add(line));
  return {
    announced,
    ended: new Promise((resolve) => child.once("close", resolve)),
    stop: () => child.stdin?.end(),
  };
}

describe.runIf(hasPostgres())("two processes on a PostgreSQL", () => {
  test(`that is killed ${KILLS} times under load lose nothing that was announced`, async () => {
    const server = await startPostgres({ fsync: true });
    onTestFinished(() => server.stop());
    const writers = ["one", "two"].map((name) => startWriter(server.url, name));
    const count = (): number => writers.reduce((sum, { announced }) => sum + announced.size, 0);
    const written = async (more: number): Promise<void> => {
      const [aim, before] = [count() + more, writers.map(({ announced }) => announced.size)];
      await vi.waitFor(() => {
        expect(count()).toBeGreaterThanOrEqual(aim);
        // Each of them goes on.
        for (const [at, { announced }] of writers.entries())
          expect(announced.size).toBeGreaterThan(before[at] ?? 0);
      }, WAIT);
    };
    for (let kill = 0; kill < KILLS; kill++) {
      // Another moment each time.
      await written(3 + ((kill * 7) % 11));
      await server.kill();
      await server.restart();
    }
    await written(10);
    for (const writer of writers) writer.stop();
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0]);

    const reader = postgresStore(server.url, { timeoutMs: 60_000 });
    onTestFinished(() => reader.close());
    const lost: string[] = [];
    for (const hash of writers.flatMap(({ announced }) => [...announced])) {
      // A read checks the content against its hash.
      if ((await reader.get("load", hash)) === undefined) lost.push(hash);
    }
    expect(lost).toEqual([]);
    // No blocks without their entry, however the puts ended.
    const orphans = await server.run(
      "SELECT count(*)::int AS n FROM waybill.blocks AS block WHERE NOT EXISTS (SELECT FROM waybill.entries WHERE upload = block.upload)",
    );
    expect(orphans).toEqual([{ n: 0 }]);
  });
});
