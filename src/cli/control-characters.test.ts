import { describe, expect, it } from "vitest";
import { runInProcess } from "./run-in-process.fixture.ts";

// ESC, the one-byte CSI of eight-bit terminals, delete, and a mark that turns the reading around.
const hostile = "\u001b]0;title\u0007\u001b[2J\u009b31m\u007f\u202ered";
// oxlint-disable-next-line no-control-regex -- it looks for control characters
const acted = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;
// oxlint-disable-next-line no-control-regex -- colours are control characters
const ownColours = /\u001b\[\d{1,2}m/g;

const envelope = (data: object, error: string | null = null): string =>
  JSON.stringify({ success: error === null, data, error, meta: { version: "response-v2" } });
const failure = envelope({ error_code: hostile, error_type: "internal", remediation: hostile }, hostile);
const success = envelope({ [hostile]: hostile, list: [hostile] });

const commands = [
  ["validate"],
  ["validate", "--json"],
  ["validate", "--dialect", "scalpel"],
  ["translate", "--to", "scalpel", "--pretty"],
  ["translate", "--to", "drf", "--from", "response-v2"],
  ["translate", "--to", "response-v1", "--json"],
  ["tokens"],
  ["digest", "-", "--policy", "always"],
];

describe("control characters of a server's messages", () => {
  it.each(
    commands.flatMap((args) => [success, failure].map((stdin) => [args.join(" "), args, stdin] as const)),
  )("do not reach a terminal by %s", async (_, args, stdin) => {
    const { stdout, stderr } = await runInProcess(args, { stdin, terminal: true });
    expect(stdout + stderr).not.toBe("");
    expect((stdout + stderr).replaceAll(ownColours, "")).not.toMatch(acted);
  });

  it("are equal JSON where a terminal is shown JSON", async () => {
    const { stdout } = await runInProcess(["translate", "--to", "scalpel"], {
      stdin: success,
      terminal: true,
    });
    expect(stdout).toContain("\\u009b31m\\u007f\\u202ered");
    expect(JSON.parse(stdout)).toEqual({ data: JSON.parse(success).data });
  });

  it("colour nothing: a server's own colours are shown as text", async () => {
    const stdin = envelope({ note: "\u001b[31mred" });
    const { stdout } = await runInProcess(["translate", "--to", "scalpel"], { stdin, terminal: true });
    expect(stdout).toContain("\\u001b[31mred");
  });

  it("reach a program as they are", async () => {
    const { stdout } = await runInProcess(["translate", "--to", "scalpel", "--json"], { stdin: success });
    expect(stdout).toContain("\u202ered");
  });
});
