import { describe, expect, it } from "vitest";
import { type RunToolOptions, type ToolRun, runTool } from "../../doors/testing/run-tool.ts";
import type { ToolContext } from "../settings/tool-context.ts";
import { defineTool } from "../settings/tool-definition.ts";

function run(handler: (context: ToolContext) => unknown, options: RunToolOptions = {}): Promise<ToolRun> {
  const tool = defineTool("t", { description: "t" }, async (_args, context) => {
    await handler(context);
    return {};
  });
  return runTool(tool, {}, options);
}

describe("ctx.log", () => {
  it("sends a line to the client's log, without secrets", async () => {
    const heard: object[] = [];
    const onLog: RunToolOptions["onLog"] = (line) => heard.push(line);
    const { outcome } = await run(
      async ({ log }) => {
        await log("notice", "key sk-proj-abcdefghijklmnopqrstuvwx0123456789", "db");
        await log("error", { user: "ada", password: "hunter22hunter22" });
      },
      { onLog },
    );
    expect(outcome.ok).toBe(true);
    expect(heard).toEqual([
      { level: "notice", data: expect.stringMatching(/^key \[REDACTED:/), logger: "db" },
      { level: "error", data: { user: "ada", password: "[REDACTED:PASSWORD]" } },
    ]);
  });

  it("sends it as it is where masking is off", async () => {
    const heard: object[] = [];
    await run(({ log }) => log("info", { password: "hunter22hunter22" }), {
      contract: { redact: false },
      onLog: (line) => heard.push(line),
    });
    expect(heard).toEqual([{ level: "info", data: { password: "hunter22hunter22" } }]);
  });

  it("is silent when no client listens, and when the client is gone", async () => {
    const gone = (): never => {
      throw new Error("Not connected");
    };
    for (const options of [{}, { onLog: gone }])
      expect((await run(({ log }) => log("info", "hello"), options)).outcome.ok).toBe(true);
  });

  it("refuses a level that does not exist at once, also where no handler waits for the line", async () => {
    const thrown: unknown[] = [];
    await run(({ log }) => {
      try {
        void log("warn" as never, "hello");
      } catch (error) {
        thrown.push((error as Error).message);
      }
    });
    expect(thrown).toEqual([
      't: ctx.log has no level "warn". Choose one of debug, info, notice, warning, error, critical, alert, emergency.',
    ]);
  });
});
