import { type Tiers, ToolFault } from "waybill";
import { type CallRequest, type ToolDefinition, defineTool } from "waybill/server";
import * as z from "zod";
import type { KeptData } from "../kept-data.ts";
import { readCode } from "./read-code.ts";

const VERSION = "3.3.0";
const path = z.string().describe("A file of the workspace, such as /store.py.");
const analyzeInput = z.object({ path });
const scanInput = z.object({
  path,
  depth: z.enum(["quick", "deep"]).optional().describe("deep needs the pro tier."),
  include_fixes: z.boolean().optional().describe("Fixes are part of the pro tier."),
});
const extractInput = z.object({ path, symbol: z.string().describe("The function or class to extract.") });

const analysis = z.object({
  functions: z.array(z.string()),
  classes: z.array(z.string()),
  complexity: z.int(),
  imports: z.array(z.string()),
  lines: z.int(),
});

function namesAfter(keyword: string, code: string): string[] {
  return [...code.matchAll(new RegExp(`^\\s*${keyword}\\s+(\\w+)`, "gm"))].map(([, name = ""]) => name);
}

function definedIn(line: string): string | undefined {
  return /^\s*(?:def|class)\s+(\w+)/.exec(line)?.[1];
}

/** Functions, classes and branches of a Python file. The workshop's configuration sends only some of it. */
export function analyzeCodeTool(
  data: KeptData,
): ToolDefinition<"analyze_code", typeof analyzeInput, typeof analysis> {
  return defineTool(
    "analyze_code",
    {
      description: "Lists functions and classes of a file and measures its complexity.",
      inputSchema: analyzeInput,
      outputSchema: analysis,
      dialect: "scalpel",
      version: VERSION,
      annotations: { readOnlyHint: true },
    },
    async (args) => {
      const code = await readCode(data, args.path);
      return {
        functions: namesAfter("def", code),
        classes: namesAfter("class", code),
        complexity: 1 + [...code.matchAll(/^\s*(?:if|elif|for|while|except)\b/gm)].length,
        imports: namesAfter("(?:import|from)", code),
        lines: code.trimEnd().split("\n").length,
      };
    },
  );
}

const hazards = [
  { kind: "code_injection", pattern: /\beval\(|\bexec\(/, fix: "Parse the input with ast.literal_eval." },
  { kind: "shell_injection", pattern: /shell\s*=\s*True/, fix: "Pass a list of arguments without a shell." },
] as const;

/** Known hazards by line; secrets in reach make a file risky even without one. */
export function securityScanTool(
  data: KeptData,
  tiers: Tiers<CallRequest>,
): ToolDefinition<"security_scan", typeof scanInput> {
  return defineTool(
    "security_scan",
    {
      description: "Looks for known hazards in a file.",
      inputSchema: scanInput,
      dialect: "scalpel",
      version: VERSION,
      annotations: { readOnlyHint: true },
    },
    async (args, context) => {
      const tier = context.tier ?? tiers.default;
      if (args.depth === "deep") tiers.require("deep_scan", "pro", tier);
      const code = await readCode(data, args.path);
      const showsFixes = args.include_fixes === true && tiers.includes(tier, "pro");
      const vulnerabilities = code
        .split("\n")
        .flatMap((text, index) =>
          hazards
            .filter(({ pattern }) => pattern.test(text))
            .map(({ kind, fix }) => ({ kind, line: index + 1, ...(showsFixes ? { fix } : {}) })),
        );
      if (args.include_fixes === true && !showsFixes) {
        context.upgradeHint(tiers.hint("fixes", "pro", "Fixes are part of the pro tier."));
      }
      const isRisky = vulnerabilities.length > 0 || /password|secret|token/i.test(code);
      return { risk_level: isRisky ? "high" : "low", vulnerabilities };
    },
  );
}

/** One function or class of a file, with its lines. */
export function extractCodeTool(data: KeptData): ToolDefinition<"extract_code", typeof extractInput> {
  return defineTool(
    "extract_code",
    {
      description: "Extracts one function or class of a file.",
      inputSchema: extractInput,
      dialect: "scalpel",
      version: VERSION,
      annotations: { readOnlyHint: true },
    },
    async ({ path: file, symbol }) => {
      const lines = (await readCode(data, file)).split("\n");
      const start = lines.findIndex((line) => definedIn(line) === symbol);
      if (start < 0) throw new ToolFault(`Symbol not found: ${symbol}`, { errorCode: "NOT_FOUND" });
      const depth = lines[start]?.search(/\S/) ?? 0;
      const next = lines.findIndex(
        (line, index) => index > start && line.trim() !== "" && line.search(/\S/) <= depth,
      );
      const code = lines
        .slice(start, next < 0 ? lines.length : next)
        .join("\n")
        .trimEnd();
      return { code, start_line: start + 1, end_line: start + code.split("\n").length };
    },
  );
}
