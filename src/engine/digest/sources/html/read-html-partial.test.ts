import { describe, expect, it } from "vitest";
import { readHtml } from "./read-html.ts";

const menu = `<nav><ul>${"<li><a href=/x>Section</a></li>".repeat(8)}</ul></nav>`;
const sentence = "By noon the baskets were weighed, counted and sold, which took longer than in other years.";
const paragraph = `<p>${sentence} ${sentence}</p>`;

function page(content: string, title = "Shop"): string {
  return `<!doctype html><html><head><title>${title}</title></head><body>${menu}${content}<footer>Imprint</footer></body></html>`;
}

describe("readHtml, of pages that are more than an article", () => {
  it("gives all of a product's page whose reviews look like an article, and says so", async () => {
    const facts = ["Capacity", "Power", "Weight", "Cable", "Warranty", "Material"];
    const rows = facts.map((name) => `<tr><th>${name}</th><td>as ordered</td></tr>`);
    const points = "<li>Boils a litre in two minutes</li><li>Switches off by itself</li>";
    const product = `<h1>Kettle</h1><div>€ 49.90</div><table>${rows.join("")}</table><ul>${points}</ul>`;
    const reviews =
      "<p>Anna: Very quiet, but the lid is stiff. I use it every day and would buy it again.</p><p>Ben: The cable is short. Otherwise fine.</p>";
    const { text, warnings } = await readHtml(page(`<div>${product}</div><div>${reviews}</div>`));
    expect(text).toContain("Kettle\n\n€ 49.90\n\nCapacity\tas ordered\nPower\tas ordered\n");
    expect(text).toContain("Switches off by itself\n\nAnna: Very quiet");
    expect(warnings).toMatchObject([{ code: "MAIN_CONTENT_NOT_FOUND", context: { reason: "no_article" } }]);
  });

  it("keeps the question above its answers", async () => {
    const question =
      "Each call of fsync takes about 200 ms, on a disk from 2012. What could be the reason for that?";
    const answers = ["first", "second"].map((name) => `<div><p>The ${name} answer: ${sentence}</p></div>`);
    const { text, warnings } = await readHtml(
      page(`<div><h1>Why is it slow?</h1><div><p>${question}</p></div></div><div>${answers.join("")}</div>`),
    );
    expect(text).toBe(
      `Why is it slow?\n\n${question}\n\nThe first answer: ${sentence}\n\nThe second answer: ${sentence}`,
    );
    expect(warnings).toEqual([]);
  });

  it("keeps the facts above an article", async () => {
    const facts = "<table><tr><th>Born<td>4 May 1852<tr><th>Died<td>1934</table><dl><dt>Work<dd>Nurse</dl>";
    const { text } = await readHtml(page(`<div>${facts}${paragraph.repeat(4)}</div>`));
    expect(text).toContain(`Born\t4 May 1852\nDied\t1934\n\nWork\nNurse\n\n${sentence}`);
  });

  it.each([
    ["A night at the harbour", "Shop", true],
    ["A night at the harbour", "A night at the harbour | Shop", false],
    ["A night at the harbour", "At the harbour, a long night", false],
  ])("begins with the headline %j under the title %j: %j", async (headline, title, isThere) => {
    const read = await readHtml(page(`<article><h1>${headline}</h1>${paragraph.repeat(4)}</article>`, title));
    expect(String(read.text).startsWith(`${headline}\n\n${sentence}`)).toBe(isThere);
    expect(String(read.text).startsWith(sentence)).toBe(!isThere);
  });

  it("says how much it kept where comments or tables are left out", async () => {
    const comments = Array.from(
      { length: 40 },
      (_, index) => `<div class=comment>So say I, number ${index}, too.</div>`,
    );
    const rows = Array.from({ length: 20 }, (_, index) => `<tr><td>Part ${index}<td>${index} cm</tr>`);
    const article = `<article>${paragraph.repeat(3)}</article>`;
    const withComments = await readHtml(page(`${article}<div class=comments>${comments.join("")}</div>`));
    const withTable = await readHtml(
      page(`${article}<div class=sidebar><table>${rows.join("")}</table></div>`),
    );
    expect(withComments.warnings).toEqual([
      {
        code: "MAIN_CONTENT_ONLY",
        severity: "info",
        message: "The page has more than its main content, such as comments or tables: they are left out.",
        context: { share_kept: 0.35 },
      },
    ]);
    expect(withTable.warnings).toMatchObject([{ code: "MAIN_CONTENT_ONLY" }]);
    expect(withTable.text).not.toContain("Part");
  });

  it("warns of nothing where menus and teasers are left out", async () => {
    const teasers = "<li><a href=/x>Another story of another harbour, told at length</a></li>".repeat(30);
    const read = await readHtml(
      page(`<article>${paragraph.repeat(3)}</article><aside><ul>${teasers}</ul></aside>`),
    );
    expect(read.warnings).toEqual([]);
  });
});
