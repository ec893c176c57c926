import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { type DefaultTheme, defineConfig, type MarkdownOptions } from "vitepress";
import { chapters } from "./pages.ts";
import { decisionFiles, titleOf } from "./read-pages.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const repository = "https://github.com/waybill-mcp/waybill/blob/main/";

type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/** Pages are written for GitHub and for people with a text editor; the site takes them as they are. */
function asWritten(markdown: MarkdownIt): void {
  // Two braces are words of a page, not an expression of the site's framework.
  const text = markdown.renderer.rules.text;
  markdown.renderer.rules.text = (...given) =>
    (text?.(...given) ?? markdown.utils.escapeHtml(given[0][given[1]]?.content ?? "")).replaceAll(
      "{{",
      "&#123;&#123;",
    );
  // What is outside docs/, and folders, are not on the site: such links lead to the repository.
  const open = markdown.renderer.rules.link_open;
  markdown.renderer.rules.link_open = (tokens, index, options, env: { relativePath?: string }, self) => {
    const token = tokens[index];
    const href = token?.attrGet("href") ?? "";
    const target = posix.normalize(posix.join("docs", dirname(env.relativePath ?? ""), href));
    const isHere = target.startsWith("docs/") && /\.\w+(#|$)/.test(target);
    if (!/^[a-z]+:|^#|^\//i.test(href) && !isHere) token?.attrSet("href", `${repository}${target}`);
    return open?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
  };
}

function entry(file: string): DefaultTheme.SidebarItem {
  // "The gateway: a server you cannot change" is long for a menu.
  const [title = file] = titleOf(file).replaceAll("`", "").split(": ");
  return { text: title, link: `/${file}` };
}

export const siteConfig = defineConfig({
  title: "Waybill",
  description: "The response contract for MCP: one honest envelope for every tool result.",
  lang: "en",
  srcDir: `${root}docs`,
  outDir: `${root}.cache/docs-site`,
  cacheDir: `${root}.cache/vitepress`,
  rewrites: { "README.md": "index.md" },
  cleanUrls: false,
  lastUpdated: false,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: { config: asWritten },
  // The index of the search is one large file; it is loaded with the first search.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "First hour", link: "/first-hour" },
      { text: "Gateway", link: "/gateway" },
      { text: "Server", link: "/server" },
      { text: "Check", link: "/check" },
      { text: "Client", link: "/client" },
      { text: "Command line", link: "/cli" },
    ],
    sidebar: [
      ...chapters.map(({ title, pages }) => ({
        text: title,
        collapsed: false,
        items: pages.map(({ file }) => entry(file)),
      })),
      { text: "Decisions", collapsed: true, items: decisionFiles().map(entry) },
    ],
    outline: [2, 3],
  },
});
