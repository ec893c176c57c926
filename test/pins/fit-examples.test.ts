import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fitExamples, runExample } from "./fit-examples.fixture.ts";

const page = readFileSync(new URL("../../docs/fit.md", import.meta.url), "utf8");

/** The JSON block behind a mark. */
function shown(name: string): unknown {
  const match = new RegExp(`<!-- fit: ${name} -->\n(?:<!--.*?-->\n)?\`\`\`json\n(.*?)\n\`\`\``, "s").exec(
    page,
  );
  return JSON.parse(match?.[1] ?? "null");
}

describe("docs/fit.md", () => {
  it.each(Object.entries(fitExamples))("shows what really comes of %s", async (name, example) => {
    expect(shown(name)).toEqual(await runExample(example));
  });

  it("shows no example that is not run", () => {
    const names = [...page.matchAll(/<!-- fit: (\S+) -->/g)].map(([, name = ""]) => name);
    expect(names.sort()).toEqual(Object.keys(fitExamples).sort());
  });
});
