import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPageText } from "./read-page-text.ts";

const page = readFileSync(new URL("../../../../../test/fixtures/forms/page.html", import.meta.url), "utf8");
const prose = "The harbour was built in 1503 and has had two cranes since, of which one still works today.";
const article = Array.from({ length: 12 }, (_, at) => `<p>${prose} ${at}</p>`).join("");

async function linesOf(html: string): Promise<readonly string[]> {
  return ((await readPageText(html))?.text ?? "").split("\n");
}

describe("the text of a page", () => {
  it("has a line for each heading, paragraph, item and row", async () => {
    const lines = await linesOf(page);
    expect(lines).toEqual(
      expect.arrayContaining([
        "# Everything for a quiet desk",
        "- Desks (/desks)",
        "## In the shop today",
        "Item\tStock\tPrice",
        "Cork board\tSold out\t€ 18\tAdd",
        "Terms (/terms) Privacy: what we keep (/privacy)",
      ]),
    );
    expect(lines.filter((line) => line === "" || /window|margin|the same on every page/.test(line))).toEqual(
      [],
    );
  });

  it("begins with the title, unless a heading says the same", async () => {
    const [first] = await linesOf(`<title>Ports</title><h2>Harbour</h2>${article}`);
    expect(first).toBe("# Ports");
    const lines = await linesOf(`<title>Ports</title><h1>Ports</h1>${article}`);
    expect(lines.filter((line) => line === "# Ports")).toHaveLength(1);
  });

  it("says where links lead once, where a line is links, and never inside of a sentence", async () => {
    const nav = '<a href="/a">First</a> <a href="#top">Second</a> <a href="/a">Third</a>';
    const lines = await linesOf(
      `<body><p>${nav} <a href="javascript:go()">Fourth</a></p><p>${prose} <a href="/b">More</a></p>${article}`,
    );
    expect(lines[0]).toBe("First (/a) Second Third Fourth");
    expect(lines[1]).toBe(`${prose} More`);
  });

  it("puts each line under the heading above it", async () => {
    const read = await readPageText(`<h1>A</h1><p>${prose}</p><h2>B</h2>${article}<h1>C</h1><p>x</p>`);
    const lines = read?.text.split("\n") ?? [];
    const above = (line: string): string | undefined => lines[read?.headings[lines.indexOf(line)] ?? -1];
    expect(["# A", prose, "## B", `${prose} 3`, "x"].map(above)).toEqual([
      undefined,
      "# A",
      "# A",
      "## B",
      "# C",
    ]);
  });

  it("ranks the title, then the main content, then other texts, then links and labels", async () => {
    const address = "The office of the harbour, Quay 4, is open from Monday to Friday.";
    const links = Array.from({ length: 9 }, (_, at) => `<li><a href="/${at}">Menu ${at}</a></li>`).join("");
    const read = await readPageText(
      `<!doctype html><html><head><title>Ports of the north</title></head><body><ul>${links}</ul><article>${article}</article><footer><p>${address}</p><p>Follow us</p></footer></body></html>`,
    );
    const lines = read?.text.split("\n") ?? [];
    const ranked = read?.order.map((rank) => Array.from(rank, (line) => lines[line]));
    expect(ranked?.[0]).toEqual(["# Ports of the north"]);
    expect(ranked?.[1]).toHaveLength(12);
    expect(ranked?.[1]?.slice(0, 4)).toEqual([0, 1, 2, 11].map((at) => `${prose} ${at}`));
    expect(ranked?.[2]).toEqual([address]);
    expect(ranked?.[3]).toEqual(expect.arrayContaining(["- Menu 3 (/3)", "Follow us"]));
  });

  it.each([
    [
      "hardly any text",
      `<html><body><div id="root"></div><script>${"x();".repeat(900)}</script></body></html>`,
    ],
    ["hardly any markup", `<p>${`${prose} `.repeat(60)}</p>`],
    ["more characters than are read", `<html>${article}${" ".repeat(16 * 1024 * 1024)}`],
  ])("is not given of a page with %s", async (_, html) => {
    expect(await readPageText(html)).toBeUndefined();
  });
});
