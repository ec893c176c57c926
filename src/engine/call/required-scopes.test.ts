import { describe, expect, it } from "vitest";
import { defineTool } from "../settings/tool-definition.ts";
import { createContract } from "../../doors/server/create-contract.ts";
import { runTool } from "../../doors/testing/run-tool.ts";
import { missingScopes } from "./required-scopes.ts";

let ran = 0;
const config = { description: "Moves a task", scopes: ["tasks:read", "tasks:write"] };
const move = defineTool("task_move", config, () => ({ moved: ++ran }));
const contract = createContract({ logLevel: "silent" });

describe("the scopes of a tool", () => {
  it("let a caller pass who has them all", async () => {
    const scopes = ["tasks:write", "openid", "tasks:read"];
    const { envelope } = await runTool(move, {}, { contract, auth: { subject: "ada", scopes } });
    expect(envelope).toMatchObject({ success: true });
  });

  it("refuse everybody else before the tool runs, and say what to do", async () => {
    const before = ran;
    const { envelope } = await runTool(
      move,
      {},
      { contract, auth: { subject: "ada", scopes: ["tasks:read"] } },
    );
    expect(envelope).toMatchObject({
      success: false,
      error: "task_move needs the scopes tasks:read and tasks:write; this sign-in lacks tasks:write",
      data: {
        error_code: "FORBIDDEN",
        error_type: "authorization",
        required_permission: "tasks:read tasks:write",
        remediation:
          "Ask the user to sign in again and to grant the scope tasks:write, or go on without task_move.",
        details: { missing_scopes: ["tasks:write"] },
      },
    });
    expect(ran).toBe(before);
  });

  it("have no effect for the user of the machine, who is not signed in", async () => {
    const { envelope } = await runTool(move, {}, { contract });
    expect(envelope).toMatchObject({ success: true });
  });

  it("are not fulfilled where no caller has signed in", () => {
    expect(missingScopes("task_move", ["tasks:write"], undefined)?.fault).toMatchObject({
      code: "UNAUTHORIZED",
      message: "task_move needs the scope tasks:write, and no caller has signed in",
      remediation: "Sign in with the scope tasks:write, then call again.",
    });
  });

  it("can be given to a tool that is defined elsewhere", async () => {
    const ping = defineTool("ping", { description: "Answers" }, () => ({}));
    const strict = createContract({ logLevel: "silent", toolSettings: { ping: { scopes: ["admin"] } } });
    const { envelope } = await runTool(ping, {}, { contract: strict, auth: { subject: "ada" } });
    expect(envelope).toMatchObject({ success: false, data: { error_code: "FORBIDDEN" } });
  });

  it.each([[[]], [["two words"]], [['qu"ote']], [["back\\slash"]], [["é"]], ["tasks:write"]])(
    "are refused when the tool is defined: %j",
    (scopes) => {
      const define = () => defineTool("t", { description: "t", scopes: scopes as string[] }, () => ({}));
      expect(define).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
      expect(define).toThrow(/Tool t: "scopes/);
    },
  );
});
