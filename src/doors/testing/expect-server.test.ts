import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { redefine, rewrite } from "../../../test/broken-servers/broken-server.ts";
import { failure, goodServer } from "../../../test/broken-servers/good-server.ts";
import type { RawServer } from "../../../test/broken-servers/raw-server.ts";
import { serverLink } from "../../../test/broken-servers/server-link.ts";
import { expectServer } from "./index.ts";

const quick = { era: "legacy", limits: { callsPerTool: 1 } } as const;

/** The good server but for one tool: its schema is no object. */
function broken(): RawServer {
  const server = goodServer();
  server.tools = server.tools.filter(({ definition }) => definition.name === "count_parcels");
  redefine(server, "count_parcels", () => ({ inputSchema: { type: "array" } }));
  return server;
}

const definitionsOnly = { definitionsOnly: true };

const failureOf = (build: () => RawServer, options = {}): Promise<Error> =>
  expectServer({ link: serverLink(build), name: "parcels" }, { ...quick, ...options }).then(
    () => new Error("it passed"),
    (error: Error) => error,
  );

describe("expectServer", () => {
  it("resolves to the report of a good server", async () => {
    const report = await expectServer({ link: serverLink(goodServer) }, { ...quick, strict: true });
    expect(report.score?.value).toBe(100);
  });

  it("says what is wrong, where, and what to do", async () => {
    const error = await failureOf(broken, definitionsOnly);
    expect(error).toMatchObject({ name: "ContractError", code: "INVALID_ENVELOPE" });
    expect(error.message).toMatch(
      /^The server \(parcels\) does not pass its check:\n- error [\w-]+\/[\w-]+ at count_parcels/,
    );
    expect(error.message).toContain("inputSchema");
  });

  it("speaks as docs/testing.md shows it", async () => {
    const error = await failureOf(() => {
      const server = broken();
      const listed = { ...server.tools[0]?.definition, inputSchema: { type: "object" } };
      server.listTools = ({ cursor }) => ({
        tools: cursor === undefined ? [listed] : [],
        nextCursor: "next",
      });
      return server;
    });
    const page = readFileSync(new URL("../../../docs/testing.md", import.meta.url), "utf8");
    expect(page).toContain(error.message.slice(error.message.indexOf("\n")));
  });

  it("lets rules be left out, and knows what a baseline knows", async () => {
    const rules = ((await failureOf(broken, definitionsOnly)) as Error & { details: { rules: string[] } })
      .details.rules;
    expect((await failureOf(broken, { ...definitionsOnly, except: rules })).message).toBe("it passed");
    const stale = { rule: "list/answered", path: "", tool: "gone" };
    const baseline = JSON.stringify({ format: "waybill-check-baseline-1", findings: [stale] });
    expect((await failureOf(goodServer, { baseline })).message).toContain("is stale");
  });

  it("refuses a rule that does not exist, before the server is asked, with the name that was meant", async () => {
    const asked: string[] = [];
    const watched = (): RawServer => {
      asked.push("started");
      return goodServer();
    };
    const error = await failureOf(watched, { except: ["size/mesage"] });
    expect(error).toMatchObject({
      name: "ContractError",
      code: "INVALID_OPTION",
      details: { option: "except" },
    });
    expect(error.message).toContain('"except": "size/mesage" is no rule. Did you mean "size/message"?');
    const strange = await failureOf(watched, { except: ["definition", "weather"] });
    expect(strange.message).toContain('"weather" is no rule. docs/reference/rules.md lists the rules.');
    expect(asked).toEqual([]);
  });

  it("leaves out a whole group of rules", async () => {
    const rules = ((await failureOf(broken, definitionsOnly)) as Error & { details: { rules: string[] } })
      .details.rules;
    const groups = rules.map((rule) => rule.slice(0, rule.indexOf("/")));
    expect((await failureOf(broken, { ...definitionsOnly, except: groups })).message).toBe("it passed");
  });

  it("says that nothing was tested where no tool was called, and which option would call it", async () => {
    const silent = (): RawServer => {
      const server = goodServer();
      server.tools = server.tools.filter(({ definition }) => definition.name === "send_parcel");
      return server;
    };
    expect((await failureOf(silent)).message).toBe(
      "The server (parcels) does not pass its check:\n- 0 of 1 tool called: nothing was tested. 1 not called, " +
        "not marked read-only (annotations.readOnlyHint): `all: true` calls such tools (only where nothing can be " +
        "lost), `args` those that it names.",
    );
    expect((await failureOf(silent, definitionsOnly)).message).toBe("it passed");
    expect((await failureOf(silent, { args: { send_parcel: { id: "P-001" } } })).message).toBe("it passed");
  });

  it("does not pass where no call succeeded, and says which option would help", async () => {
    const lost = (): RawServer => {
      const server = goodServer();
      server.tools = server.tools.filter(({ definition }) => definition.name === "get_parcel");
      rewrite(server, "get_parcel", () => failure("NOT_FOUND", "No parcel has this id", "Use another id"));
      return server;
    };
    expect((await failureOf(lost)).message).toBe(
      "The server (parcels) does not pass its check:\n- 1 of 1 tool called, and no call succeeded: only failures " +
        "were judged. `args` gives arguments that work.",
    );
  });

  it("says that a server could not be reached, and why", async () => {
    const checking = expectServer({ command: "/no/such/server" }, quick);
    await expect(checking).rejects.toThrow(/could not be reached: .*does not exist/);
  });
});
