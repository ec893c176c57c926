import { describe, expect, it } from "vitest";
import { usualFiles } from "./client-configs.ts";
import { readConfigText } from "./rewrite-config.ts";
import { clientNames, urlEntries } from "./url-entries.ts";

const urls = {
  files: "http://127.0.0.1:3333/files/mcp",
  "my notes": "http://127.0.0.1:3333/my%20notes/mcp",
};
const machine = { platform: "linux", env: {}, home: "/home/ada" } as const;

const written = clientNames.flatMap((name) => {
  const text = urlEntries(name, urls);
  const file = usualFiles(machine).get(name) ?? "";
  return text === undefined ? [] : [[name, file, text] as const];
});

describe("what a client's file needs to reach a server over HTTP", () => {
  it.each(written.filter(([, file]) => !file.endsWith(".yaml")))(
    "is read by wrap for %s",
    async (_name, file, text) => {
      const { entries } = await readConfigText(text, file);
      const found = entries.map(({ name, value }) => [
        name,
        value["url"] ?? value["httpUrl"] ?? value["serverUrl"],
      ]);
      expect(found).toEqual(Object.entries(urls));
    },
  );

  it("is YAML for Continue and Goose", () => {
    expect(written.filter(([, file]) => file.endsWith(".yaml")).map(([name]) => name)).toEqual([
      "Continue",
      "Goose",
    ]);
    const one = { files: urls.files };
    expect(urlEntries("Continue", one)).toBe(
      `mcpServers:\n  - name: "files"\n    type: streamable-http\n    url: "${urls.files}"`,
    );
    expect(urlEntries("Goose", one)?.split("\n").slice(0, 3)).toEqual([
      "extensions:",
      '  "files":',
      "    enabled: true",
    ]);
  });

  it("is nothing for clients that take commands only, and what most understand for one that is not known", () => {
    expect(clientNames.filter((name) => urlEntries(name, urls) === undefined)).toEqual([
      "Claude Desktop",
      "Junie",
    ]);
    expect(JSON.parse(urlEntries(undefined, { files: urls.files }) ?? "")).toEqual({
      mcpServers: { files: { type: "http", url: urls.files } },
    });
  });

  it("goes into one file of each client, on every platform", () => {
    for (const platform of ["linux", "darwin", "win32"] as const) {
      const files = usualFiles({ ...machine, platform });
      expect([...files.keys()].toSorted()).toEqual([...clientNames].toSorted());
    }
    expect(usualFiles(machine).get("Cline")).toBe("/home/ada/.cline/data/settings/cline_mcp_settings.json");
    expect(usualFiles(machine).get("Continue")).toBe("/home/ada/.continue/config.yaml");
  });
});
