import { execSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isFullRun } from "../../../../test/arbitrary/law-runs.ts";
import { faults } from "../../../core/contract/faults.ts";
import { createContract } from "../../server/create-contract.ts";
import { acceptingSchema } from "../../../engine/settings/standard-schema.ts";
import { type AnyTool, defineTool } from "../../../engine/settings/tool-definition.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import { type FuzzKind, type FuzzOptions, type FuzzReport, fuzzTool } from "../index.ts";

/** Few calls, and time enough on a busy machine. */
const fuzz = (tool: AnyTool, options: FuzzOptions = {}): Promise<FuzzReport> =>
  fuzzTool(tool, { runs: 50, totalMs: 60_000, timeoutMs: 10_000, ...options });

const one = z.object({ name: z.string().describe("A name.") });
const named = (handler: (name: string) => unknown): AnyTool =>
  defineTool("t", { description: "One thing", inputSchema: one }, ({ name }) => handler(name));

async function kindsOf(tool: AnyTool, options: FuzzOptions = {}): Promise<readonly FuzzKind[]> {
  const { findings } = await fuzz(tool, options);
  return findings.map(({ kind }) => kind);
}

describe("fuzzTool", () => {
  it("finds nothing in a tool that keeps its word", async () => {
    const outputSchema = z.object({ name: z.string(), length: z.int() });
    const good = defineTool("t", { description: "Good", inputSchema: one, outputSchema }, ({ name }) => {
      if (name === "") throw faults.validation("name is empty");
      return { name, length: name.length };
    });
    const report = await fuzz(good, { runs: 80 });
    expect(report).toMatchObject({ tool: "t", seed: 1, calls: 80, findings: [], stopped: undefined });
    expect(report.reached).toBeGreaterThan(50);
    expect(report.summary).toMatch(/^t: no findings in 80 calls, \d+ of which the handler got \(seed: 1\)$/);
  });

  it("finds crashes, one for each place, with the smallest arguments that show it", async () => {
    const crashing = named((name) => {
      if (name.includes("\0")) throw new TypeError("no null bytes here");
      if (name.length > 1_000) throw new RangeError("too long");
      return new RegExp(name).source;
    });
    const { findings, summary } = await fuzz(crashing, { runs: 80 });
    expect(findings.map(({ kind }) => kind)).toEqual(["crash", "crash", "crash"]);
    const by = (words: string) => findings.find(({ message }) => message.includes(words));
    expect(by("no null bytes")).toMatchObject({ arguments: { name: "\0" }, origin: "hostile", seed: 1 });
    expect(by("too long")?.arguments["name"]).toHaveLength(1_001);
    expect(by("SyntaxError")?.arguments["name"]).toMatch(/^.{1,2}$/);
    expect(by("too long")?.message).toContain("src/doors/testing/fuzz/fuzz-tool.test.ts:");
    expect(by("too long")?.error).toBeInstanceOf(RangeError);
    expect(summary).toContain('shown by: {"name":"\\u0000"} (hostile, call');
  });

  it("does not call a failure a crash that the tool foresaw, whatever its code", async () => {
    const failing = named((name) => {
      if (name.length > 5) throw faults.internal("The index is broken");
      if (name === "") throw Object.assign(new Error("gone"), { code: "ENOENT" });
      throw faults.notFound("thing", "x");
    });
    expect(await kindsOf(failing)).toEqual([]);
  });

  it("finds crashes of the input schema", async () => {
    const throwing = one.refine(({ name }) => name.length < 50 || JSON.parse(name) !== undefined);
    const tool = defineTool("t", { description: "t", inputSchema: throwing }, () => ({}));
    const { findings } = await fuzz(tool);
    expect(findings).toMatchObject([
      { kind: "crash", message: expect.stringContaining("before its handler runs") },
    ]);
  });

  it("varies the arguments it is given where no schema names any", async () => {
    const free = defineTool("t", { description: "t" }, ({ name }) => ({ length: (name as string).length }));
    const { findings } = await fuzz(free, { args: { name: "ada" } });
    expect(findings).toMatchObject([{ kind: "crash", arguments: {} }]);
  });

  it("finds faults that the tool does not declare, and details that are not as declared", async () => {
    const errors = {
      gone: { code: "NOT_FOUND", when: "Nothing has this name", details: z.object({ name: z.string() }) },
    } as const;
    const failing = defineTool("t", { description: "t", inputSchema: one, errors }, ({ name }, ctx) => {
      if (name === "") return ctx.fail("gone", {} as never);
      if (name.length > 20) throw faults.conflict("Too long");
      return ctx.fail("gone", { name });
    });
    const { findings } = await fuzz(failing);
    const by = (words: string) => findings.find(({ message }) => message.includes(words));
    expect(findings.map(({ kind }) => kind)).toEqual(["undeclared-fault", "undeclared-fault"]);
    expect(by("its details break their schema: name")?.arguments).toEqual({ name: "" });
    expect(by("It fails with CONFLICT, but its errors are gone (NOT_FOUND)")?.arguments["name"]).toHaveLength(
      21,
    );
  });

  it("finds answers that break the output schema, or that JSON cannot carry", async () => {
    const outputSchema = z.object({ first: z.string().min(1) });
    const config = { description: "t", inputSchema: one, outputSchema };
    const wrong = defineTool("t", config, ({ name }) => ({ first: name.slice(0, 1) }));
    const { findings } = await fuzz(wrong);
    expect(findings).toMatchObject([{ kind: "broken-output", arguments: { name: "" } }]);
    expect(findings[0]?.message).toContain("breaks its output schema at first");
    expect(await kindsOf(named((name) => ({ at: name.length > 50 ? 10n : 1 })))).toEqual(["broken-output"]);
    const shown = acceptingSchema({ type: "object", properties: { n: { type: "number" } }, required: ["n"] });
    const unkept = named((name) => ({ n: name.length > 50 ? "many" : 1 }));
    const lying: AnyTool = { ...unkept, config: { ...unkept.config, outputSchema: shown } };
    expect(await kindsOf(lying)).toEqual(["broken-output"]);
  });

  it("finds a format that throws, or that says what the data does not", async () => {
    const config = { description: "t", inputSchema: one } as const;
    const format = ({ name }: { name?: string }): string => `It is ${new URL(name ?? "").host}`;
    const throwing = defineTool("t", { ...config, format }, ({ name }) => ({ name }));
    const { findings } = await fuzz(throwing);
    expect(findings).toMatchObject([
      { kind: "crash", message: expect.stringContaining("Its format throws TypeError") },
    ]);
    const saying = defineTool("t", { ...config, format: () => "Order 4711 is late" }, () => ({ ok: true }));
    expect((await fuzz(saying)).findings).toMatchObject([
      { kind: "broken-output", message: expect.stringContaining("4711") },
    ]);
  });

  it("finds calls that do not end, and leaves the tool alone then", async () => {
    let aborted = 0;
    const waiting = defineTool("t", { description: "t", inputSchema: one }, ({ name }, { signal }) => {
      if (name !== "") return {};
      return new Promise(() => signal.addEventListener("abort", () => (aborted += 1)));
    });
    const { findings, stopped } = await fuzz(waiting, { timeoutMs: 60 });
    expect(findings).toMatchObject([{ kind: "hang", message: "It has not answered after 60 ms" }]);
    expect(findings[0]?.arguments).toEqual({ name: "" });
    expect(stopped).toBeUndefined();
    expect(aborted).toBe(2);
    const always = await fuzz(
      named(() => new Promise(() => undefined)),
      { timeoutMs: 30 },
    );
    expect(always.stopped).toBe("3 calls hung");
  });

  it("says that no call got to the handler, and takes arguments that do", async () => {
    const picky = z.object({ id: z.string().refine((id) => id === "task-001") });
    const tool = defineTool("t", { description: "t", inputSchema: picky }, () => ({}));
    const { findings, reached } = await fuzz(tool);
    expect(findings).toMatchObject([
      { kind: "unreached", message: "None of 50 calls got as far as its handler" },
    ]);
    expect(reached).toBe(0);
    const helped = await fuzz(tool, { args: { id: "task-001" } });
    expect(helped.findings).toEqual([]);
    expect(helped.reached).toBeGreaterThan(0);
  });

  it("lifts the guards that would refuse so many calls", async () => {
    const rules = { rateLimit: { limit: 1, periodSeconds: 60 }, tier: "pro", flag: "new", concurrency: 1 };
    const tool = defineTool("t", { description: "t", breaker: true, ...rules }, () => ({}));
    expect(await fuzz(tool, { runs: 40 })).toMatchObject({ findings: [], reached: expect.any(Number) });
    expect((await fuzz(tool, { runs: 40 })).reached).toBeGreaterThan(5);
  });

  it("makes the same calls for the same seed, and others for another", async () => {
    const callsOf = async (seed: number): Promise<readonly JsonObject[]> => {
      const sent: JsonObject[] = [];
      const onCall = ({ arguments: args }: { arguments: JsonObject }): void => void sent.push(args);
      await fuzz(
        named(() => ({})),
        { seed, runs: 60, onCall },
      );
      // The bait's folder has a new name each time.
      return sent.filter((args) => !JSON.stringify(args).includes("waybill-fuzz-"));
    };
    const [first, again, other] = [await callsOf(7), await callsOf(7), await callsOf(8)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it("refuses what is no tool, and options it does not know", async () => {
    await expect(fuzzTool(undefined as never)).rejects.toThrow("fuzzTool: What it is given is no tool.");
    const tool = named(() => ({}));
    await expect(fuzz(tool, { sead: 1 } as never)).rejects.toThrow('Did you mean "seed"?');
    await expect(fuzz(tool, { runs: 0 })).rejects.toThrow('"runs" is 0.');
    await expect(fuzz(tool, { except: ["crashes" as never] })).rejects.toThrow('"except[0]"');
    await expect(fuzz(tool, { args: ["a"] as never })).rejects.toThrow('"args" is neither');
    await expect(fuzz(tool, { contract: { budjet: 1 } as never })).rejects.toThrow("budget");
  });
});

describe("what a hostile text leads to", () => {
  const folder = fileURLToPath(new URL("../", import.meta.url));

  it("is found where a tool leaves its folder to read, write or remove", async () => {
    const reading = named((name) => ({ text: readFileSync(resolve(folder, name), "utf8") }));
    const { findings } = await fuzz(reading, { except: ["leak", "crash"] });
    expect(findings).toMatchObject([
      { kind: "escape", message: "It shows a file that is outside its folder", origin: "hostile" },
    ]);
    const writing = named((name) => {
      // Only the bait: a test writes nowhere else.
      if (name.includes("waybill-fuzz-") && !name.includes("\0")) writeFileSync(resolve(folder, name), "new");
      return {};
    });
    expect((await fuzz(writing, { except: ["crash"] })).findings).toMatchObject([
      { kind: "escape", message: "It changes a file that is outside its folder" },
    ]);
  });

  it("is never another place than the bait, also while a finding is made smaller", async () => {
    const asked: string[] = [];
    const opening = named((name) => {
      asked.push(name);
      if (name.includes("..")) throw new TypeError("leads out");
      return {};
    });
    expect((await fuzz(opening)).findings).toMatchObject([{ kind: "crash" }]);
    const places = asked.filter((name) => /^(?:\.\.)?[\\/]/.test(name));
    expect(places.length).toBeGreaterThan(2);
    expect(places.filter((name) => !name.includes("secret.txt"))).toEqual([]);
  });

  it.runIf(isFullRun)("is told as docs/testing.md shows it", async () => {
    const noteRead = defineTool("note_read", { description: "One note", inputSchema: one }, ({ name }) =>
      readFile(join("notes", name), "utf8").then((text) => ({ text })),
    );
    const { summary } = await fuzz(noteRead, { args: { name: "todo" }, runs: 300 });
    const page = readFileSync(new URL("../../../../docs/testing.md", import.meta.url), "utf8");
    const [, shown] = /testing-fuzz:begin -->\n```\n([^]*?)\n```\n/.exec(page) ?? [];
    // Where the test and the temporary folder are is another matter.
    const said = summary
      .replace(/"[./]+\/[^"]+\/secret\.txt"/, '"../../../tmp/waybill-fuzz-Xk3a/secret.txt"')
      .replace(/\(src\/doors\/testing\S+\)/, "(src/note-read.ts:7:12)");
    expect(said).toBe(shown);
  });

  it("is found where it is run, as a command or as code", async () => {
    const running = named((name) => {
      if (name.includes("touch ")) return { said: execSync(`echo a ${name}`, { stdio: "pipe" }).length };
      return { kind: typeof runInThisContext(name) };
    });
    const { findings } = await fuzz(running, { except: ["crash"], runs: 80 });
    expect(findings.map(({ message }) => message).sort()).toEqual([
      "It runs a text of its arguments as a command",
      "It runs a text of its arguments as code",
    ]);
    expect(globalThis).not.toHaveProperty("waybillFuzzRan");
  });

  it("is found where it gets into a prototype, which is as before then", async () => {
    const settings: Record<string, Record<string, unknown>> = { general: {} };
    const inputSchema = z.object({ section: z.string(), key: z.string(), value: z.string() });
    const setting = defineTool("set", { description: "Sets", inputSchema }, ({ section, key, value }) => {
      (settings[section] ??= {})[key] = value;
    });
    const { findings } = await fuzz(setting);
    expect(findings.map(({ kind }) => kind)).toContain("pollution");
    expect(findings.find(({ kind }) => kind === "pollution")).toMatchObject({
      message: expect.stringMatching(/^It changes Object\.prototype\./),
      arguments: { section: "__proto__" },
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("is found where a free object is merged", async () => {
    const merge = (into: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> => {
      for (const [key, value] of Object.entries(from)) {
        const inner = into[key];
        if (typeof value === "object" && value !== null && typeof inner === "object" && inner !== null)
          merge(inner as Record<string, unknown>, value as Record<string, unknown>);
        else into[key] = value;
      }
      return into;
    };
    const merging = defineTool("merge", { description: "Merges" }, (args) => void merge({ a: {} }, args));
    const { findings } = await fuzz(merging, { except: ["crash"] });
    expect(findings).toMatchObject([
      { kind: "pollution", message: "It changes Object.prototype.waybill_fuzz" },
    ]);
    expect(JSON.stringify(findings[0]?.arguments)).toBe('{"__proto__":{"waybill_fuzz":""}}');
  });
});

describe("what an answer tells", () => {
  const key = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");

  it("is a leak where it is a path, a stack or a secret", async () => {
    const leaking = named((name) => {
      if (name === "") return { stack: new Error("boom").stack };
      if (name.length > 20) return { token: key };
      throw faults.notFound("file", resolve("data.json"));
    });
    const { findings } = await fuzz(leaking);
    const messages = findings.map(({ message }) => message);
    expect(messages).toHaveLength(3);
    expect(messages.join("\n")).toMatch(/The answer shows a stack: at .*fuzz-tool\.test\.ts/);
    expect(messages.join("\n")).toContain("The answer holds a secret: ");
    expect(messages.join("\n")).toMatch(/The failure names a path of the machine: \S+/);
    expect(JSON.stringify(findings.map(({ message }) => message))).not.toContain(key);
  });

  it("is no finding where the caller said it, or the test allows it", async () => {
    const echoing = named((name) => {
      throw faults.notFound("file", name);
    });
    expect(await kindsOf(echoing)).toEqual([]);
    const telling = named(() => {
      throw faults.notFound("file", "/srv/app/data/users.db");
    });
    expect(await kindsOf(telling)).toEqual(["leak"]);
    expect(await kindsOf(telling, { allow: ["/srv/app/"] })).toEqual([]);
    expect(await kindsOf(telling, { allow: [/users\.db/] })).toEqual([]);
    expect(await kindsOf(telling, { except: ["leak"] })).toEqual([]);
  });

  it("is what is sent under the contract it is given", async () => {
    const contract = createContract({ logLevel: "silent", redact: { successes: true } });
    expect(
      await kindsOf(
        named(() => ({ token: key })),
        { contract, runs: 30 },
      ),
    ).toEqual([]);
    expect(
      await kindsOf(
        named(() => ({ token: key })),
        { runs: 30 },
      ),
    ).toEqual(["leak"]);
  });
});
