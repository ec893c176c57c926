import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import {
  LONG,
  asLines,
  claudeLines,
  clineDocument,
  codexLines,
  geminiLines,
  keptByGemini,
  opencodeParts,
} from "./formats/excerpts.fixture.ts";

/** A home with these files, gone after the test. */
export function homeWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "waybill-audit-home-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  putInto(home, files);
  return home;
}

export function putInto(home: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
}

/** The excerpts of every client where its history is; opencode's as the files that it wrote before 1.2. */
export function homeWithAll(): string {
  const home = homeWith({});
  const parts = opencodeParts(home).map((part, index) => [
    `.local/share/opencode/storage/part/m1/p${index}.json`,
    JSON.stringify(part),
  ]);
  putInto(home, {
    ...Object.fromEntries(parts),
    ".local/share/opencode/tool-output/tool_2": LONG,
    ".config/opencode/opencode.json": JSON.stringify({
      mcp: { "web shop": { type: "local", command: ["x"] } },
    }),
    ".claude/projects/-home-me/s1.jsonl": asLines(claudeLines),
    ".codex/sessions/2026/11/10/rollout-2026-11-10T08-00-00-t1.jsonl": asLines(codexLines),
    ".gemini/tmp/p/chats/session-2026-11-10T08-00-g1.jsonl": asLines(geminiLines(home)),
    ".cline/data/sessions/k1/k1.messages.json": JSON.stringify(clineDocument, null, 2),
    ...Object.fromEntries(Object.entries(keptByGemini).map(([path, text]) => [`.gemini/tmp/${path}`, text])),
  });
  return home;
}
