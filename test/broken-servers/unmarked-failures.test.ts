import { describe, expect, it } from "vitest";
import { createPolicy } from "../../src/doors/check/policy/create-policy.ts";
import { behindGateway } from "./behind-gateway.ts";
import { rewrite } from "./broken-server.ts";
import { check } from "./check-each.ts";
import { goodServer, plainText } from "./good-server.ts";
import type { RawServer } from "./raw-server.ts";
import { serverLink } from "./server-link.ts";

/** Refuses wrong arguments in words of its own, and never marks it. */
function silentServer(): RawServer {
  const server = goodServer();
  rewrite(server, "get_parcel", (result) =>
    result["isError"] === true ? plainText(`Computer says no: ${JSON.stringify(result["content"])}`) : result,
  );
  return server;
}

describe("a server that reports failures without marking them", () => {
  it("is learnt by a check, written into the policy, and marked by the gateway", async () => {
    const link = serverLink(silentServer);
    const before = await check({ link }, "legacy");
    expect(before.tools.find(({ name }) => name === "get_parcel")?.failureStart).toBe("Computer says no: ");
    const accepted = before.findings.filter(({ rule }) => rule === "arguments/invalid-accepted");
    expect(accepted.map(({ tool }) => tool)).toEqual(["get_parcel"]);

    const { text, config } = createPolicy(before, { command: "server" });
    expect(JSON.stringify(config)).toContain('"failures":{"starts_with":["Computer says no: "]}');
    const after = await check({ link: behindGateway(link, text) }, "legacy");
    expect(after.findings.filter(({ rule }) => rule === "arguments/invalid-accepted")).toEqual([]);
  });

  it("is not learnt of a server that marks them", async () => {
    const report = await check({ link: serverLink(goodServer) }, "legacy");
    expect(report.tools.filter(({ failureStart }) => failureStart !== undefined)).toEqual([]);
  });
});
