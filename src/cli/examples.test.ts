import { describe, expect, it } from "vitest";
import { configExamples } from "./declare/config.ts";
import { demoExamples } from "./declare/demo.ts";
import { translateExamples } from "./declare/translate.ts";
import { validateExamples } from "./declare/validate.ts";
import { runInProcess } from "./run-in-process.fixture.ts";
import { tempFiles } from "./temp-files.fixture.ts";

const examples = [...validateExamples, ...translateExamples, ...configExamples, ...demoExamples];

describe("the examples of the manual", () => {
  it.each(examples)("print what the manual says: waybill $args", async ({ stdin, args, output }) => {
    const piped = stdin === undefined ? {} : { stdin: `${stdin}\n` };
    const { stdout, stderr } = await runInProcess(args.split(" "), { cwd: tempFiles({}), ...piped });
    const [shown = "", cut] = output.split("…");
    const printed = stdout + stderr;
    expect(cut === undefined ? printed : printed.slice(0, shown.length)).toBe(
      cut === undefined ? `${shown}\n` : shown,
    );
  });

  it("stand in the manual of their command", async () => {
    for (const { args, output } of examples) {
      const { stdout } = await runInProcess(["help", args.split(" ")[0] ?? ""]);
      expect(stdout).toContain(`waybill ${args}\n`);
      for (const line of output.split("\n")) expect(stdout).toContain(line);
    }
  });
});
