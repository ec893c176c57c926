import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFiles } from "../../src/cli/temp-files.fixture.ts";
import { isAsShown, readTranscript, runLine } from "../../src/cli/transcript.fixture.ts";
import { allBlocks, type Block, markOf, placeOf } from "./read-blocks.ts";
import { compare } from "./compare-shown.ts";
import { isTakenBy } from "./treatment.ts";

function exchangesOf({ code }: Block) {
  return readTranscript(`\`\`\`console\n${code}\n\`\`\``);
}

/** The files that a page shows: by `cat` in a transcript, or under a mark with their name. */
function filesOf(page: string): [name: string, content: string][] {
  return allBlocks
    .filter((block) => block.page === page)
    .flatMap((block): [string, string][] => {
      const name = markOf(block, "file");
      if (name !== undefined) return [[name, `${block.code}\n`]];
      if (block.language !== "console") return [];
      return exchangesOf(block)
        .filter(({ command }) => command.startsWith("cat "))
        .map(({ command, output }) => [command.slice("cat ".length), `${output}\n`]);
    });
}

/** Pages call the folder /repo. */
async function run(page: string, command: string): Promise<string> {
  const cwd = tempFiles({});
  for (const [name, content] of filesOf(page)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  return (await runLine(command, cwd)).replaceAll(cwd, "/repo").replaceAll("/nonexistent", "/home/me");
}

const commands = allBlocks
  .filter((block) => isTakenBy(block, "console") && block.language === "console")
  .flatMap((block) =>
    exchangesOf(block).map((exchange) => ({ ...exchange, place: placeOf(block), page: block.page })),
  )
  .filter(({ command }) => !command.startsWith("cat "));

const printed = allBlocks.flatMap((block) => {
  const command = markOf(block, "prints");
  return command === undefined
    ? []
    : [{ command, page: block.page, place: placeOf(block), code: block.code }];
});

describe("a transcript of the manual", () => {
  it("is found", () => {
    expect(commands.length).toBeGreaterThan(4);
  });

  it.each(commands)("$place shows what is printed by: $command", async ({ page, command, output }) => {
    const text = await run(page, command);
    expect(isAsShown(output, text) ? output : text).toBe(output);
  });

  it.each(printed)("$place has the JSON that is printed by: $command", async ({ page, command, code }) => {
    const text = await run(page, command);
    await expect(compare(JSON.parse(text), JSON.parse(code))).resolves.toBeUndefined();
  });
});
