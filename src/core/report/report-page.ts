// The one form of our HTML reports. Each is a single file to send on: nothing is loaded, and nothing runs.

export interface ReportPage {
  /** Must already be escaped, like all other parts. */
  readonly title: string;
  readonly style: string;
  /** The hash of the style, as a policy writes it: `sha256-…`. */
  readonly styleHash: string;
  /** A link to the main part, for readers who use the keyboard: where it leads, and what it says. */
  readonly skip?: readonly [id: string, label: string] | undefined;
  /** What kind of report it is. */
  readonly eyebrow: string;
  readonly heading: string;
  /** The list items of the line under the heading. */
  readonly facts: readonly string[];
  /** What is above the eyebrow, and below the facts. */
  readonly above?: string | undefined;
  readonly below?: string | undefined;
  readonly body: string;
  /** The paragraphs at the end. */
  readonly footer: readonly string[];
}

/** The whole page. Its policy lets in its own style and nothing else: whatever the page quotes is text. */
export function reportPage({
  title,
  style,
  styleHash,
  skip,
  above = "",
  below = "",
  ...page
}: ReportPage): string {
  const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
${skip === undefined ? "" : `<a class="skip" href="#${skip[0]}">${skip[1]}</a>\n`}<header>
${above}<p class="eyebrow">${page.eyebrow}</p>
${page.heading}
<ul class="about">${page.facts.join("")}</ul>
${below}</header>
${page.body}
<footer>${page.footer.map((words) => `<p>${words}</p>`).join("\n")}</footer>
</body>
</html>
`;
}

/** A titled part of a page. */
export function reportPart(id: string, title: string, body: string): string {
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>\n${body}\n</section>`;
}

/**
 * The style of every page: colours for light and dark, type, the head of a page and its foot. A page adds its own rules
 * after these. Nothing is loaded from elsewhere, so a page can be sent as one file.
 */
export const pageLook = `
:root {
  --paper: #fbfaf7; --panel: #ffffff; --ink: #22262a; --quiet: #5c6369; --line: #e4e1da;
  --accent: #0b655e; --tint: #d9efe9; --tint-strong: #b4dfd5;
  --serif: ui-serif, "Iowan Old Style", Charter, "Noto Serif", Georgia, serif;
  --sans: system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181a; --panel: #1b1f22; --ink: #e5e3de; --quiet: #a2a8ac; --line: #30363a;
    --accent: #74cfc1; --tint: #17403b; --tint-strong: #1f5d55;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans); overflow-wrap: anywhere; }
header, .columns, footer { max-width: 76rem; margin-inline: auto; padding-inline: clamp(1.25rem, 4vw, 3rem); }
header { padding-block: clamp(2rem, 6vw, 4.5rem) 2rem; }
.eyebrow { margin: 0 0 .5rem; color: var(--accent); font-size: .8125rem; font-weight: 600; letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: 0; max-width: 24em; font: 600 clamp(1.75rem, 1.2rem + 2.4vw, 2.75rem)/1.15 var(--serif); text-wrap: balance; }
/* Every fact has a separator before it; at the beginning of a line it is cut away. */
.about { display: flex; flex-wrap: wrap; gap: .25rem 0; margin: 1rem 0 0 -1.2rem; padding: 0; clip-path: inset(-.5rem -.5rem -.5rem .85rem); list-style: none; color: var(--quiet); font-size: .9375rem; }
.about li { position: relative; padding-left: 1.2rem; white-space: nowrap; }
.about .url { white-space: normal; }
.about li::before { content: "·"; position: absolute; left: 0; width: 1.2rem; text-align: center; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--panel); }
.skip:focus { left: 1rem; top: 1rem; }
h2 { margin: 2.25rem 0 .75rem; font-size: .8125rem; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--quiet); }
.none { margin: 0; color: var(--quiet); }
footer { padding-block: 2rem 3rem; color: var(--quiet); font-size: .875rem; }
footer p { margin: 0 0 .5rem; }
code { font: .9em ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
`;
