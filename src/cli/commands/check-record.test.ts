import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFullRun } from "../../../test/arbitrary/law-runs.ts";
import { runInProcess } from "../run-in-process.fixture.ts";
import { tempFiles } from "../temp-files.fixture.ts";

/** A server that speaks response-v2: what it answers changes with each call, and with a file. */
const server = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const mood = JSON.parse(readFileSync("mood.json", "utf8"));
const inputSchema = { type: "object", properties: { id: { type: "string", pattern: "^P-[0-9]$", description: "A parcel" } }, required: ["id"], additionalProperties: false };
const tool = (name, more) => ({ name, description: "Says where the parcel is that has this id.", inputSchema, ...more });
const tools = [tool("parcel", { annotations: { readOnlyHint: true } }), tool("send_parcel", {})];
let calls = 0;
function call({ arguments: { id } = {} }) {
  calls += 1;
  const meta = { version: mood.version ?? "response-v2", request_id: "req_" + process.pid + "_" + calls, telemetry: { duration_ms: calls * 1.5 } };
  const isGood = /^P-[0-9]$/.test(id ?? "");
  const data = isGood
    ? { id, state: mood.state ?? "moving", weighed_at: "2024-02-03T04:05:06Z", seen_at: new Date().toISOString(), nonce: calls, key: "ghp_" + "0Aa1".repeat(9) }
    : { error_code: "VALIDATION_ERROR", error_type: "validation", remediation: "Give an id such as P-1." };
  const envelope = { success: isGood, data, error: isGood ? null : "id is wrong", meta };
  return { content: [{ type: "text", text: JSON.stringify(envelope) }], structuredContent: envelope, ...(isGood ? {} : { isError: true }) };
}
const parse = (line) => { try { return JSON.parse(line); } catch { return {}; } };
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = parse(line);
  if (id === undefined) continue;
  const send = (rest) => console.log(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  if (method === "initialize") send({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "parcels", version: "1.0.0" } } });
  else if (method === "ping") send({ result: {} });
  else if (method === "tools/list") send({ result: { tools } });
  else if (method !== "tools/call") send({ error: { code: -32601, message: "There is no such method" } });
  else if (!tools.some(({ name }) => name === params?.name)) send({ error: { code: -32602, message: "There is no such tool" } });
  else send({ result: call(params) });
}
`;

const folderWith = (): string => tempFiles({ "server.mjs": server, "mood.json": "{}" });
const check = (cwd: string, ...args: string[]) =>
  runInProcess(["check", "--record", "answers", ...args, "--", process.execPath, "server.mjs"], { cwd });
const filesIn = (cwd: string): readonly string[] => readdirSync(join(cwd, "answers")).sort();
const read = (cwd: string, file: string) => JSON.parse(readFileSync(join(cwd, "answers", file), "utf8"));

describe("waybill check --record", () => {
  // shows 000.35, 001.104
  it("writes a file for each call, compares with it later, and writes it anew when asked to", async () => {
    const cwd = folderWith();
    const first = await check(cwd);
    expect(first.exitCode).toBe(0);
    expect(first.stderr).toMatch(/waybill: recorded \d+ answers in answers\n/);
    const files = filesIn(cwd);
    expect(files.length).toBeGreaterThan(3);
    // Only what a check may call is called.
    expect(
      files.filter((file) => !/^parcel\.(?:valid|boundary|invalid)-[0-9a-f]{8}\.json$/.test(file)),
    ).toEqual([]);
    const good = files.map((file) => read(cwd, file)).find(({ result }) => result.isError === undefined);
    expect(good).toMatchObject({
      format: "waybill-check-record-1",
      tool: "parcel",
      "meta.version": "response-v2",
      result: {
        structuredContent: {
          data: {
            state: "moving",
            weighed_at: "2024-02-03T04:05:06Z",
            seen_at: "<timestamp>",
            nonce: "<any>",
          },
          meta: { request_id: "<request id>", telemetry: { duration_ms: "<duration>" } },
        },
      },
    });
    expect(good.result.content[0].text.$json).toEqual(good.result.structuredContent);
    expect(JSON.stringify(good)).not.toContain("0Aa10Aa1");

    const same = await check(cwd);
    expect(same.stdout).not.toContain("Recorded answers that differ");
    expect(same.stderr).toMatch(/waybill: compared \d+ answers with answers\n/);
    expect(same.exitCode).toBe(0);

    writeFileSync(join(cwd, "mood.json"), JSON.stringify({ state: "lost" }));
    const changed = await check(cwd);
    expect(changed.exitCode).toBe(1);
    expect(changed.stdout).toContain("Recorded answers that differ\n  parcel.");
    expect(changed.stdout.replaceAll(/\s+/g, " ")).toContain(
      '/result/structuredContent/data/state: recorded "moving", now "lost"',
    );
    expect(changed.stdout).toMatch(/\nFailed: \d+ recorded answers? differs?\n/);

    if (!isFullRun) return;
    const updated = await check(cwd, "--update-record");
    expect(updated.exitCode).toBe(0);
    expect((await check(cwd)).exitCode).toBe(0);
  });

  it.runIf(isFullRun)(
    "tells a server that no longer speaks response-v2, a call that is gone, and files that are wrong",
    async () => {
      const cwd = folderWith();
      await check(cwd);
      const [file = ""] = filesIn(cwd);
      const kept = read(cwd, file);
      writeFileSync(join(cwd, "answers", "parcel.valid-00000000.json"), JSON.stringify(kept));
      writeFileSync(join(cwd, "mood.json"), JSON.stringify({ version: "response-v3" }));
      const { stdout, exitCode } = await check(cwd, "--report", "json");
      expect(exitCode).toBe(1);
      const { differences } = JSON.parse(stdout) as {
        differences: { file: string; path: string; message: string }[];
      };
      expect(differences).toContainEqual(
        expect.objectContaining({
          path: "/meta.version",
          message: 'recorded "response-v2", now "response-v3"',
        }),
      );
      expect(differences).toContainEqual(
        expect.objectContaining({
          file: "parcel.valid-00000000.json",
          message: expect.stringMatching(/made no more/),
        }),
      );
      writeFileSync(join(cwd, "answers", file), "{");
      const broken = await check(cwd);
      expect(broken).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`${file} cannot be used`),
      });
      const alone = await runInProcess(["check", "--update-record", "--", process.execPath, "server.mjs"], {
        cwd,
      });
      expect(alone).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("needs --record") });
      expect(existsSync(join(cwd, "answers", file))).toBe(true);
    },
  );
});
