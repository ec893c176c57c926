import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tenantKey } from "../../engine/archive/store-rules.ts";
import { localTenant } from "../../doors/gateway/upstream-contract.ts";
import { homeWith } from "../wrap/home.fixture.ts";
import { HOUR_MS, keep, tasks } from "./stored.fixture.ts";

const files = { command: "npx", args: ["-y", "some-server", "."] };
const config = JSON.stringify({ upstreams: { files } });

/** A home whose gateway has cut results of two servers; the configuration of this folder knows one of them. */
async function homeOfGateway() {
  const home = homeWith({ "waybill.config.json": config });
  const folder = home.at("state/waybill/archive");
  const [known = "", other = ""] = await keep(folder, [
    { tenant: localTenant(files), content: [JSON.stringify({ tasks })], ageMs: 2 * HOUR_MS },
    { tenant: localTenant({ command: "srv" }), content: ['["elsewhere"]'], ageMs: HOUR_MS },
  ]);
  const key = tenantKey(localTenant({ command: "srv" })).slice(0, 12);
  return { ...home, folder, known, other, key };
}

describe("the archive commands without --store", () => {
  it("look where the gateway keeps what it cuts, and say so", async () => {
    const { run, folder, known, other, key } = await homeOfGateway();
    const { exitCode, stdout, stderr } = await run("archive ls --config waybill.config.json");
    expect(exitCode).toBe(0);
    expect(stderr).toBe(`waybill: looked in ${folder}, where the gateway keeps what it cuts\n`);
    expect(stdout).toMatch(new RegExp(`^${other.slice(0, 12)} .* ${key}$`, "m"));
    expect(stdout).toMatch(new RegExp(`^${known.slice(0, 12)} .* files$`, "m"));
  });

  it("find an entry of any tenant, and say for whom it was kept", async () => {
    const { run, known, other, key } = await homeOfGateway();
    const got = await run(`archive get ${other.slice(0, 12)}`);
    expect(got).toMatchObject({ exitCode: 0, stdout: '["elsewhere"]' });
    expect(got.stderr).toContain(`waybill: kept for tenant ${key}\n`);
    const named = await run(`archive search ${known} signing --config waybill.config.json --tenant files`);
    expect(named.stdout).toContain("/tasks/41");
    const missed = await run("archive get 3f2a9c01b7de");
    expect(missed.exitCode).toBe(1);
    expect(missed.stderr).toContain(`tenant ${key}: 1 entry`);
  });

  it("list the tenants there are", async () => {
    const { run, key } = await homeOfGateway();
    const { stdout } = await run("archive tenants --config waybill.config.json");
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^tenant +entries +size +newest$/),
      expect.stringMatching(new RegExp(`^${key} +1 +13 bytes +1 h$`)),
      expect.stringMatching(/^files +1 +4\.2 KiB +2 h$/),
      "2 tenants",
      "",
    ]);
    const { data } = JSON.parse((await run("archive tenants --json")).stdout);
    expect(data.tenants).toMatchObject([
      { tenant: null, entries: 1 },
      { tenant: null, entries: 1 },
    ]);
  });

  it("say of a folder that is not there yet that nothing is kept", async () => {
    const { run, at } = homeWith({});
    expect(await run("archive ls")).toEqual({
      exitCode: 0,
      stdout: "Nothing is kept there: nothing was cut yet, or all of it has expired.\n",
      stderr: `waybill: looked in ${join(at("state"), "waybill/archive")}, where the gateway keeps what it cuts\n`,
    });
    expect((await run("archive get 3f2a9c01b7de")).stderr).toContain("Nothing is kept in ");
  });
});
