import { pageLook } from "../../../core/report/page-look.ts";

/** The hash of the sheet below, as the page's policy names it; page-style.test.ts says what it must be. */
export const pageStyleHash = "sha256-In0AKVwPJ+URAbpmkafQEtHzITHHzWnP+pG+vd+Gd2w=";

export const pageStyle = `${pageLook}
.query { margin: 1.5rem 0 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--accent); font-size: 1.125rem; }
.query span { color: var(--quiet); }
.columns { display: grid; gap: 3rem; padding-bottom: 4rem; }
.digest > section:first-child h2 { margin-top: 0; }
.summary { margin: 0; font: 1.0625rem/1.65 var(--serif); }
.jump { color: inherit; text-decoration: underline 1px var(--line); text-underline-offset: .25em; }
.jump:hover, .jump:focus-visible { text-decoration-color: var(--accent); text-decoration-thickness: 2px; }
blockquote .jump:not(:hover) { text-decoration: none; }
.points { margin: 0; padding: 0; list-style: none; }
.points li { position: relative; padding-inline-start: 1.25rem; }
.points li + li { margin-top: .75rem; }
.points li::before { content: ""; position: absolute; inset-inline-start: 0; top: .65em; width: .375rem; height: .375rem; border-radius: 50%; background: var(--accent); }
.quotes { margin: 0; padding: 0; list-style: none; }
.quotes li { padding: 1rem 0; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.quotes li:first-child { padding-top: 0; border-top: 0; }
.facts { display: flex; align-items: center; gap: .625rem; color: var(--quiet); font-size: .8125rem; font-variant-numeric: tabular-nums; }
.tag { display: inline-block; min-width: 1.5em; padding: 0 .4em; border-radius: 1em; background: var(--accent); color: var(--paper); font: 600 .75rem/1.25rem var(--sans); text-align: center; text-decoration: none; }
.bar { width: 4rem; height: 4px; border-radius: 2px; fill: var(--accent); }
.bar .rest { fill: var(--line); }
.score { white-space: nowrap; }
.place { margin-inline-start: auto; }
blockquote { display: -webkit-box; margin: .5rem 0 0; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 4; line-clamp: 4; font-size: .9375rem; }
.warnings { margin: 0 0 2rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; list-style: none; font-size: .9375rem; }
article { min-width: 0; max-width: 42rem; padding-top: 2rem; border-top: 1px solid var(--line); font: 1.0625rem/1.7 var(--serif); }
article p { margin: 0 0 1.1em; white-space: pre-line; unicode-bidi: isolate; }
article h3:not(.page) { margin: 2em 0 .6em; font: 600 1.1875rem/1.3 var(--serif); }
article pre { margin: 0 0 1.1em; padding: .75rem 1rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: .375rem; font-size: .8125rem; line-height: 1.5; white-space: pre-wrap; }
article ul { margin: 0 0 1.1em; padding-inline-start: 1.4em; }
article li + li { margin-top: .35em; }
article li { white-space: pre-line; unicode-bidi: isolate; }
.table { margin: 0 0 1.1em; overflow-x: auto; }
.table table { border-collapse: collapse; font: .875rem/1.5 var(--sans); }
.table td { padding: .35rem .9rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top; text-align: start; }
.table tr:first-child td { font-weight: 600; }
.page { display: flex; align-items: center; gap: 1rem; margin: 2.5rem 0 1.5rem; color: var(--quiet); font: 500 .8125rem/1.5 var(--sans); }
.page::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.page:first-child { margin-top: 0; }
article .gap { margin: 2rem 0; color: var(--quiet); font: .875rem/1.5 var(--sans); text-align: center; }
mark { padding: .1em 0; background: var(--tint); color: inherit; border-radius: 2px; -webkit-box-decoration-break: clone; box-decoration-break: clone; scroll-margin-top: 30vh; }
article .tag { margin-inline-end: .35em; vertical-align: .08em; }
.said { scroll-margin-top: 30vh; }
mark:target, .said:target { background: var(--tint-strong); box-shadow: 0 0 0 3px var(--tint-strong); }
@media (min-width: 64rem) {
  .columns { grid-template-columns: minmax(19rem, 25rem) minmax(0, 42rem); gap: 5rem; justify-content: space-between; }
  .digest { position: sticky; top: 0; align-self: start; max-height: 100vh; padding-block: 2rem; overflow-y: auto; scrollbar-width: thin; }
  header { padding-bottom: 1rem; }
  article { border-top: 0; }
}
@media print {
  :root { --paper: #fff; --panel: #fff; --ink: #000; --quiet: #444; --line: #bbb; --accent: #000; --tint: #e8e8e8; }
  body { font-size: 10.5pt; }
  .skip { display: none; }
  .columns { display: block; }
  .digest { position: static; max-height: none; overflow: visible; }
  blockquote { display: block; overflow: visible; }
  .quotes li { break-inside: avoid; }
  mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; border-bottom: 1px solid #000; }
}
`;
