import { describe, expect, it } from "vitest";
import type { ClientsReport } from "../protocol/places.ts";
import { ask, watchedGateway } from "../routes.fixture.ts";
import { clientRoutes } from "./client-routes.ts";

const url = "http://127.0.0.1:3333/files/mcp";
const gateway = { ...watchedGateway(), transport: "http", urls: () => ({ files: url }) } as const;

const report = (home?: string): Promise<ClientsReport> =>
  ask(clientRoutes(gateway, { platform: "linux", env: {}, home }), "/api/clients");

describe("the clients that can be led to a gateway", () => {
  it("are those that wrap knows, each with its file and what it needs", async () => {
    const { clients } = await report("/home/ada");
    const names = clients.map(({ name }) => name);
    const asked = ["Gemini CLI", "Qwen Code", "opencode", "Cline", "Roo Code", "Continue", "Goose"];
    expect(names).toEqual(expect.arrayContaining([...asked, "Junie", "LM Studio", "Amp"]));
    expect(names[0]).toBe("Any other");
    expect(clients.find(({ name }) => name === "opencode")).toEqual({
      name: "opencode",
      file: "~/.config/opencode/opencode.json",
      text: JSON.stringify({ mcp: { files: { type: "remote", url, enabled: true } } }, undefined, 2),
    });
    expect(clients.filter(({ text = url }) => !text.includes(url))).toEqual([]);
    expect(clients.filter(({ file = "~" }) => !file.startsWith("~"))).toEqual([]);
  });

  it("have no file where the user has no home", async () => {
    const { clients } = await report();
    expect(clients.filter(({ file }) => file !== undefined)).toEqual([]);
  });
});
