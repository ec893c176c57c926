import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { until } from "./until.fixture.ts";
import { relayLines } from "./relay-lines.ts";

function relayed(...chunks: string[]): Promise<string[]> {
  return relayedWith(false, ...chunks);
}

async function relayedWith(keepsColors: boolean, ...chunks: string[]): Promise<string[]> {
  const stream = new PassThrough();
  const heard: string[] = [];
  relayLines(stream, (line) => heard.push(line), keepsColors);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await until(() => stream.readableEnded);
  return heard;
}

// A key in the form that the providers' own rules find, and no key of anybody.
const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

describe("what a server writes to stderr", () => {
  it("comes line by line, also without a last line end, with its tabs and its own letters", async () => {
    expect(await relayed("one\r\ntw", "o\n\tthrée 🚚", "")).toEqual(["one", "two", "\tthrée 🚚"]);
  });

  it.each([
    ["moves of the cursor", "\u001b[2J\u001b[1;1Hgone", "\\u001b[2J\\u001b[1;1Hgone"],
    ["a title", "\u001b]0;pwned\u0007", "\\u001b]0;pwned\\u0007"],
    ["the one-byte forms", "\u009b31m\u009d0;x\u009c", "\\u009b31m\\u009d0;x\\u009c"],
    ["a return to the start of the line", "failed\rok    ", "failed\\u000dok    "],
    ["colours", "\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
    ["marks that turn the reading around", "\u202etxt.exe", "\\u202etxt.exe"],
    ["deletions", "secret\b\b\b\u007f", "secret\\u0008\\u0008\\u0008\\u007f"],
  ])("has %s shown as text", async (_, raw, shown) => {
    expect(await relayed(`${raw}\n`)).toEqual([shown]);
  });

  it.each([
    ["alone", `token is ${secret}`],
    ["in colour", `token is \u001b[31m${secret}\u001b[0m`],
    ["with a colour in its middle", `token is ${secret.slice(0, 9)}\u001b[1m${secret.slice(9)}`],
    ["in an address", "postgres://app:hunter2hunter2@db/x"],
  ])("has a secret masked that is %s", async (_, line) => {
    const [shown = ""] = await relayed(`${line}\n`);
    expect(shown).toMatch(/\[REDACTED:/);
    expect(shown).not.toContain(secret.slice(12));
    expect(shown).not.toContain("hunter2");
  });

  it("keeps its colours, and nothing else that a terminal acts on, for the one who wrote it", async () => {
    const line = `\t\u001b[31mred\u001b[39m \u001b[2J\u009b31m \u202etxt`;
    expect(await relayedWith(true, `${line}\n`)).toEqual([
      "\t\u001b[31mred\u001b[39m \\u001b[2J\\u009b31m \\u202etxt",
    ]);
    const hidden = `token is ${secret.slice(0, 9)}\u001b[1m${secret.slice(9)}`;
    const [shown = ""] = await relayedWith(true, `${hidden}\n`);
    expect(shown).toMatch(/\[REDACTED:/);
    expect(shown).not.toContain(secret.slice(12));
  });

  it.each([
    ["a word before its value", " password=hunter2secret1"],
    ["a value in JSON", '"password":"hunter2secret1",'],
    ["a key in colour", ` \u001b[31m${secret.slice(0, 9)}\u001b[1m${secret.slice(9)}\u001b[0m`],
  ])("has no secret cut in a line of 32,000 characters, with %s", async (_, said) => {
    // Many places of the words come to lie at a seam.
    for (let shift = 0; shift < said.length; shift += 3) {
      const filled = said + "x".repeat(64 - said.length);
      const heard = (await relayed("y".repeat(64 - shift) + filled.repeat(500))).join("");
      expect(heard).not.toMatch(/hunter2|secret1|3D4e5/);
      expect(heard.match(/\[REDACTED:/g)).toHaveLength(500);
    }
  });

  it("leaves out the rest of a line that is one secret, and shows the next line", async () => {
    const value = "s3cr3tv4lue".repeat(3_000);
    const heard = await relayed(`password=${value}`, `${value}\nnext\n`);
    expect(heard.join("\n")).not.toContain("s3cr3t");
    expect(heard.at(-1)).toBe("next");
  });

  it("has a private key masked over all its lines, and what follows is shown", async () => {
    const lines = [
      "-----BEGIN PRIVATE KEY-----",
      "MIIEvQIBADANBg",
      "kqhkiG9w0BAQEF",
      "-----END PRIVATE KEY-----",
    ];
    const heard = await relayed(`read ${lines.join("\n")}\nnext\n`);
    expect(heard.join("\n")).not.toMatch(/MIIE|kqhk/);
    expect(heard.at(-1)).toBe("next");
  });
});
