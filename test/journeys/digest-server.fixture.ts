import { McpServer } from "@modelcontextprotocol/server";
import { type Contract, createContract } from "../../src/doors/server/create-contract.ts";
import { digestTool } from "../../src/doors/server/digest-tool.ts";
import { defineTool } from "../../src/engine/settings/tool-definition.ts";

/** A report too long for its budget, with more white space than its canonical text keeps. */
export const report = Array.from(
  { length: 400 },
  (_, year) =>
    `In ${1500 + year} the council of town ${year} built a harbour 🚢.  It has ${year} berths and one crane.\r\n` +
    "Fishermen say that the winters there are long, and few disagree.",
).join("\r\n\r\n\r\n");

const info = { name: "library", version: "1.0.0" };

const readReport = defineTool("report", { description: "The report", strategy: "digest" }, () => ({
  title: "Harbours",
  body: report,
}));

export function digestContract(): Contract {
  return createContract({
    name: info.name,
    logLevel: "silent",
    budget: { tokens: 1_500 },
    validate: "always",
    tools: [readReport, digestTool({ read: () => ({ content: report, title: "Harbours" }) })],
  });
}

export function digestServer(contract: Contract): McpServer {
  return contract.server(new McpServer(info));
}
