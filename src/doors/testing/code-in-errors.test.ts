import { describe, expect, it } from "vitest";
import type { ToolFault } from "../../core/contract/tool-fault.ts";
import { faults } from "../../core/contract/faults.ts";
import type { ContractOptions } from "../../engine/settings/contract-options.ts";
import { defineTool } from "../../engine/settings/tool-definition.ts";
import { runTool } from "./index.ts";

const code = "def pay(card):\n    token = vault.read(card)\n    return token.charge()";

function sent(thrown: ToolFault, contract: ContractOptions): Promise<string> {
  const tool = defineTool("t", { description: "t" }, () => {
    throw thrown;
  });
  return runTool(tool, {}, { contract }).then(({ result }) => JSON.stringify(result));
}

describe("source code in a fault", () => {
  it.each(["minimal", "standard", "debug"])("is left out of scalpel's errors in %s", async (profile) => {
    const fault = faults.validation(`bad code: ${code}`, { details: { snippet: code, line: 3 } });
    const result = await sent(fault, { dialect: "scalpel", profile });
    expect(result).toContain("bad code: [source code left out: 3 lines]");
    expect(result).toMatch(
      /\\"snippet\\":\\"\[source code left out: 3 lines\]\\"|"snippet":"\[source code left out/,
    );
    expect(result).not.toMatch(/vault|charge|def pay/);
  });

  // shows 002.23
  it("is left out wherever it is in the details, and also where only its name tells", async () => {
    const details = {
      at: [{ lines: code.split("\n") }, { note: "see pay.py:3", source_line: "token = x" }],
      snippet: "src/pay.py",
      [code]: 1,
    };
    const result = await sent(faults.validation("no", { details }), { dialect: "scalpel" });
    expect(result).not.toMatch(/vault|charge|def pay|token = x/);
    expect(result).toContain("see pay.py:3");
    expect(result).toContain("src/pay.py");
  });

  it("is sent as it is in every other dialect", async () => {
    for (const dialect of ["response-v2", "response-v2-draft", "plain", "drf", "response-v1"] as const)
      expect(await sent(faults.validation(`bad code: ${code}`), { dialect })).toContain("vault.read");
  });
});
