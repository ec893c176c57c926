import { describe, expect, it } from "vitest";
import { readConfigText, unwrapConfig, wrapConfig } from "./rewrite-config.ts";
import { realConfigs } from "./real-configs.fixture.ts";

const launcher = { program: "/opt/node/bin/node", args: ["/opt/waybill/dist/cli/main.js", "gateway"] };

async function wrapText(text: string, file: string) {
  return wrapConfig(await readConfigText(text, file), file, { launcher, selection: undefined, records: [] });
}

describe.each(realConfigs)("$title", ({ file, text, wraps }) => {
  it("is wrapped where it can be, and says why where not", async () => {
    const { outcomes } = await wrapText(text, file);
    const wrapped = outcomes.filter(({ state }) => state === "wrap").map(({ entry }) => entry.name);
    expect(wrapped).toEqual(wraps);
    const left = outcomes.filter(({ state }) => state === "left");
    expect(left.every(({ reason }) => reason !== undefined && reason !== "")).toBe(true);
  });

  it("comes back byte for byte, entry by entry, without its backup", async () => {
    const wrapped = await wrapText(text, file);
    expect(wrapped.text).not.toBe(text);
    const config = await readConfigText(wrapped.text, file);
    const undone = await unwrapConfig(config, file, { selection: undefined, records: wrapped.records });
    expect(undone.text).toBe(text);
    expect(undone.records).toEqual([]);
  });

  it("is not wrapped twice", async () => {
    const once = await wrapText(text, file);
    const twice = await wrapText(once.text, file);
    expect(twice.text).toBe(once.text);
  });
});
