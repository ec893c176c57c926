import { execFileSync } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { createRedactor } from "../../core/text/redact/redact-secrets.ts";
import { ArchiveError } from "../archive/archive-store.ts";
import { createLog } from "./log-event.ts";
import type { LogOptions } from "./log-event.ts";

function capture(options: LogOptions = {}) {
  const lines: string[] = [];
  const log = createLog({ level: "debug", sink: (line) => void lines.push(line), ...options });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") as Record<string, unknown> };
}

describe("createLog", () => {
  it("writes one JSON line with pino's keys and numbers", () => {
    const { log, lines, last } = capture();
    log.error("tool-failed", { request_id: "req_1" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\{"level":50,"time":\d{13},"pid":\d+,"name":"waybill","msg":"tool-failed","request_id":"req_1"\}\n$/,
    );
    for (const [level, number] of [
      ["debug", 20],
      ["info", 30],
      ["warn", 40],
    ] as const) {
      log[level]("event");
      expect(last()["level"]).toBe(number);
    }
  });

  it("writes an error as pino does: type, message and stack with their causes, and its own properties; of a store's no stack", () => {
    const { log, last } = capture();
    class DatabaseError extends Error {
      code = "E7";
    }
    log.error("tool-failed", {
      err: new DatabaseError("query failed", { cause: new TypeError("no socket") }),
    });
    expect(last()["err"]).toMatchObject({
      type: "DatabaseError",
      message: "query failed: no socket",
      stack: expect.stringMatching(/query failed\n[\s\S]+caused by: TypeError: no socket/) as string,
      code: "E7",
    });
    const away = new ArchiveError("UNREACHABLE", "Redis cannot be reached.", { cause: new Error("refused") });
    log.error("archive-failed", { err: away });
    expect(last()["err"]).toEqual({
      type: "ArchiveError",
      code: "UNREACHABLE",
      message: "Redis cannot be reached.: refused",
    });
    log.error("tool-failed", { err: "plain text" });
    expect(last()["err"]).toEqual({ type: "string", message: "plain text" });
  });

  it("is silent below its level, warn by default", () => {
    const lines: string[] = [];
    const log = createLog({ sink: (line) => void lines.push(line) });
    log.debug("a");
    log.info("b");
    log.warn("c");
    log.error("d");
    expect(lines).toHaveLength(2);
    const silent = capture({ level: "silent" });
    silent.log.error("x");
    expect(silent.lines).toEqual([]);
  });

  it("masks secrets in fields, names and errors", () => {
    const { log, lines } = capture({ redactor: createRedactor() });
    const secret = `ghp_${"a1B2".repeat(9)}`;
    log.error("tool-failed", {
      url: `https://bob:${secret}@h/`,
      headers: { authorization: `Bearer ${secret}`, cookie: `sid=${secret}` },
      err: new Error(`refused ${secret}`),
    });
    expect(lines[0]).not.toContain(secret.slice(4, 12));
    expect(lines[0]).toContain("[REDACTED:GITHUB_TOKEN]");
  });

  it("masks secrets by default, and not when told so", () => {
    const masked = capture();
    masked.log.warn("e", { password: "hunter2" });
    expect(masked.last()["password"]).toBe("[REDACTED:PASSWORD]");
    const open = capture({ redactor: false });
    open.log.warn("e", { password: "hunter2" });
    expect(open.last()["password"]).toBe("hunter2");
  });

  it("masks a secret before it cuts the text", () => {
    const { log, lines } = capture();
    log.warn("e", { text: `${"x ".repeat(4_090)}ghp_${"a1B2".repeat(9)}` });
    expect(lines[0]).not.toContain("a1B2");
  });

  it("gives a pino-like logger the clean fields and the event", () => {
    const heard = () => vi.fn<(fields: object, message: string) => void>();
    const logger = { debug: heard(), info: heard(), warn: heard(), error: heard() };
    const log = createLog({ logger });
    log.error("tool-failed", { token: "abc", err: new RangeError("r") });
    log.debug("tool-called");
    expect(logger.error).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        token: "[REDACTED:TOKEN]",
        err: expect.objectContaining({ type: "RangeError" }) as unknown,
      }),
      "tool-failed",
    );
    expect(logger.debug).toHaveBeenCalledOnce();
  });

  it("does without a logger's debug, and survives a logger that throws", () => {
    const broken = () => {
      throw new Error("disk full");
    };
    const log = createLog({ logger: { info: broken, warn: broken, error: broken } });
    expect(() => log.debug("a")).not.toThrow();
    expect(() => log.error("b")).not.toThrow();
    expect(() => capture({ sink: broken }).log.error("c")).not.toThrow();
  });

  it("lets no field replace what the line says of itself", () => {
    const { log, last } = capture();
    log.warn("event", { level: 1, msg: "forged", time: 0 });
    expect(last()).toMatchObject({
      level: 40,
      msg: "event",
      field_level: 1,
      field_msg: "forged",
      field_time: 0,
    });
  });

  it("writes to stderr, never to stdout, also when handed the console", () => {
    const program = `
      import { createLog } from "./src/engine/observe/log-event.ts";
      createLog().warn("one");
      createLog({ logger: console, level: "info" }).info("two");
      process.stderr.write("");
    `;
    const stdout = execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(stdout).toBe("");
  });
});
