import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

/** A house of one file a room, each importing what its line says. */
const house: Readonly<Record<string, readonly string[]>> = {
  "core/json/value.ts": ["core/text/words.ts"],
  "core/text/words.ts": [],
  "core/contract/envelope.ts": ["core/pipeline/parcel.ts", "core/text/words.ts"],
  "core/pipeline/parcel.ts": ["core/contract/fields.ts"],
  "core/contract/fields.ts": [],
  "core/pipeline/pipeline.ts": ["core/pipeline/fit/fit.ts"],
  "core/pipeline/fit/fit.ts": ["core/pipeline/shape/shape.ts", "core/pipeline/parcel.ts"],
  "core/pipeline/shape/shape.ts": ["engine/retrieve/ask.ts"],
  "core/pipeline/deliver/deliver.ts": ["core/pipeline/pipeline.ts"],
  "core/pipeline/dialect/drf.ts": ["core/pipeline/dialect/plain.ts"],
  "core/pipeline/dialect/plain.ts": [],
  "engine/retrieve/ask.ts": ["core/pipeline/parcel.ts"],
  "engine/settings/settings.ts": ["engine/call/run.ts"],
  "engine/call/run.ts": ["engine/digest/read.ts", "doors/gateway/dashboard/rows.ts"],
  "engine/digest/read.ts": [],
  "doors/gateway/dashboard/rows.ts": ["engine/call/run.ts"],
  "doors/server/serve.ts": ["doors/check/probe.ts"],
  "doors/check/probe.ts": ["cli/main.ts"],
  "doors/testing/run-tool.ts": ["doors/server/serve.ts"],
  "engine/attic/box.ts": ["core/json/value.ts"],
  "cli/main.ts": ["doors/testing/run-tool.ts", "engine/call/run.ts"],
  "index.ts": ["core/contract/envelope.ts"],
};

const root = mkdtempSync(join(tmpdir(), "waybill-floors-"));
afterAll(() => rmSync(root, { recursive: true }));

function specifier(from: string, to: string): string {
  return `${"../".repeat(from.split("/").length - 1) || "./"}${to}`;
}

async function judge(): Promise<readonly string[]> {
  for (const [file, imported] of Object.entries(house)) {
    const lines = imported.map((each) => `import "${specifier(file, each)}";`);
    mkdirSync(join(root, "src", dirname(file)), { recursive: true });
    writeFileSync(join(root, "src", file), `${lines.join("\n")}\nexport const here = "${file}";\n`);
  }
  const command = [
    resolve("node_modules/dependency-cruiser/bin/dependency-cruise.mjs"),
    "--config",
    resolve(".dependency-cruiser.mjs"),
    "--output-type",
    "json",
    "src",
  ];
  const printed = await new Promise<string>((done) => {
    execFile(process.execPath, command, { cwd: root, maxBuffer: 10_000_000 }, (_error, stdout) =>
      done(stdout),
    );
  });
  const { summary } = JSON.parse(printed) as {
    readonly summary: {
      readonly violations: readonly { rule: { name: string }; from: string; to: string }[];
    };
  };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).toSorted();
}

it("an import that the list of rooms does not allow is refused by the name of its room", async () => {
  expect(await judge()).toEqual([
    "a room: src/engine/attic/box.ts -> src/core/json/value.ts",
    "core/contract: src/core/contract/envelope.ts -> src/core/pipeline/parcel.ts",
    "core/json: src/core/json/value.ts -> src/core/text/words.ts",
    "core/pipeline: src/core/pipeline/shape/shape.ts -> src/engine/retrieve/ask.ts",
    "dialect drf: src/core/pipeline/dialect/drf.ts -> src/core/pipeline/dialect/plain.ts",
    "doors/check: src/doors/check/probe.ts -> src/cli/main.ts",
    "doors/server: src/doors/server/serve.ts -> src/doors/check/probe.ts",
    "engine/call: src/engine/call/run.ts -> src/doors/gateway/dashboard/rows.ts",
    "engine/settings: src/engine/settings/settings.ts -> src/engine/call/run.ts",
    "stage and pipeline.ts: src/core/pipeline/deliver/deliver.ts -> src/core/pipeline/pipeline.ts",
    "stage fit: src/core/pipeline/fit/fit.ts -> src/core/pipeline/shape/shape.ts",
    "stage shape: src/core/pipeline/shape/shape.ts -> src/engine/retrieve/ask.ts",
  ]);
});
