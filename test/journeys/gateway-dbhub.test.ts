// A published server for databases behind the gateway. Its SQLite is compiled, which takes minutes, so it runs by hand:
// WAYBILL_WITH_DBHUB=1 npx vitest run test/journeys/gateway-dbhub.test.ts
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractClient } from "../../src/doors/client/index.ts";
import { fetchPackage } from "../services/npm-package.fixture.ts";
import { gatewayArgs } from "./published-servers.fixture.ts";

const isWanted = process.env["WAYBILL_WITH_DBHUB"] === "1";
const dbhub = isWanted
  ? fetchPackage({
      name: "@bytebase/dbhub",
      version: "0.21.2",
      beside: ["better-sqlite3@11.10.0"],
      compiled: ["better-sqlite3"],
    })
  : undefined;
const server = [process.execPath, join(dbhub ?? "", "dist/index.js"), "--demo", "--transport", "stdio"];

async function connect(args: readonly string[]): Promise<Client> {
  const [command = "", ...rest] = args;
  const client = new Client({ name: "analyst", version: "1.0.0" });
  onTestFinished(() => client.close());
  await client.connect(new StdioClientTransport({ command, args: rest, stderr: "ignore" }));
  return client;
}

const behind = (...words: string[]): string[] => [
  process.execPath,
  ...gatewayArgs(["--store", "memory", ...words], server),
];
const sql = (text: string) => ({ name: "execute_sql", arguments: { sql: text } });

describe.runIf(dbhub !== undefined)("dbhub behind the gateway", { timeout: 60_000 }, () => {
  it("answers a small query with the same content, and lists one tool more", async () => {
    const [direct, gateway] = await Promise.all([connect(server), connect(behind())]);
    const query = sql("select * from employee order by emp_no limit 3");
    expect(await gateway.callTool(query)).toEqual(await direct.callTool(query));
    const names = async (client: Client): Promise<string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(gateway)).toEqual([...(await names(direct)), "waybill_retrieve"]);
  });

  it("says what is wrong with a query under a code", async () => {
    const tools = contractClient(await connect(behind()));
    const wrong = await tools.tryCall("execute_sql", { sql: "select nope from no_such_table" });
    expect(wrong).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
    const refused = await tools.tryCall("execute_sql", {});
    expect(refused).toMatchObject({ ok: false, error: { code: "VALIDATION_ERROR" } });
  });

  it("cuts a long table to the budget, and gives back every row", async () => {
    const client = await connect(behind("--budget", "2000"));
    const tools = contractClient(client);
    const answer = await tools.call("execute_sql", { sql: "select * from employee order by emp_no" });
    expect(answer.fidelity).toBe("partial");
    const whole = (await tools.complete(answer)).data as { rows?: unknown[]; data?: { rows: unknown[] } };
    const rows = whole.rows ?? whole.data?.rows ?? [];
    const [archive = ""] = Object.values(answer.archives);
    const found = await tools.call("waybill_retrieve", { archive, match: { emp_no: 10_001 } });
    expect(found.data).toMatchObject({ items: [{ value: { first_name: "Georgi" } }] });
    process.stderr.write(`dbhub: ${rows.length} rows, cut to 2,000 tokens and completed\n`);
    expect(rows.length).toBeGreaterThan(500);
  });
});
