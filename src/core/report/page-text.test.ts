import { describe, expect, it } from "vitest";
import { escapeHtml, showText } from "./page-text.ts";

describe("escapeHtml", () => {
  it("makes text of markup, and pictures of control characters", () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe("&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
    expect(escapeHtml("\u0000\u001b\u007f\u0085")).toBe("\u2400\u241b\u2421\ufffd");
  });
});

describe("showText", () => {
  it("names characters that cannot be seen, and leaves emoji whole", () => {
    expect(showText("a\u202eb\u200bc\u{e0041}")).toBe("a⟨U+202E⟩b⟨U+200B⟩c⟨U+E0041⟩");
    expect(showText("👩‍🔧")).toBe("👩‍🔧");
  });

  it("shows what is in backticks as code, and nothing else as markup", () => {
    expect(showText("set `isError` to <b>")).toBe("set <code>isError</code> to &lt;b&gt;");
    expect(showText("`<script>`")).toBe("<code>&lt;script&gt;</code>");
    expect(showText("a ` b")).toBe("a ` b");
  });
});
