// The clients whose histories are known.

import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { geminiCli } from "./gemini-cli.ts";
import type { HistoryFormat } from "./history-format.ts";
import { opencode } from "./opencode.ts";

export const historyFormats: readonly HistoryFormat[] = [claudeCode, codex, opencode, geminiCli, cline];
