import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archiveExamples } from "./declare/archive.ts";
import { auditExamples } from "./declare/audit.ts";
import { ledgerExamples } from "./declare/ledger.ts";
import { checkExamples } from "./declare/check.ts";
import { clientsExamples, configExamples, demoExamples, doctorExamples } from "./declare/server-commands.ts";
import { gatewayExamples } from "./declare/gateway.ts";
import {
  digestExamples,
  tokensExamples,
  translateExamples,
  validateExamples,
} from "./declare/envelope-commands.ts";
import { deployExamples } from "./declare/deploy.ts";
import { devExamples, docsExamples, initExamples, lintExamples } from "./declare/project-commands.ts";
import { loginsExamples } from "./declare/logins.ts";
import { wrapExamples } from "./declare/wrap.ts";
import { runInProcess } from "./run-in-process.fixture.ts";
import { smallConfig } from "./wrap/home.fixture.ts";
import { tempFiles } from "./temp-files.fixture.ts";
import { isAsShown, runLine } from "./transcript.fixture.ts";

const examples = [
  ...initExamples,
  ...devExamples,
  ...lintExamples,
  ...docsExamples,
  ...gatewayExamples,
  ...checkExamples,
  ...validateExamples,
  ...translateExamples,
  ...tokensExamples,
  ...digestExamples,
  ...archiveExamples,
  ...wrapExamples,
  ...loginsExamples,
  ...deployExamples,
  ...configExamples,
  ...clientsExamples,
  ...auditExamples,
  ...ledgerExamples,
  ...doctorExamples,
  ...demoExamples,
];

describe("the examples of the manual", () => {
  it.each(examples)("print what the manual says: waybill $args", async ({ stdin, args, output }) => {
    const pipe = stdin === undefined ? "" : `echo '${stdin}' | `;
    const cwd = tempFiles({ "mcp.json": smallConfig });
    mkdirSync(join(cwd, "archive"));
    const printed = await runLine(`${pipe}waybill ${args}`, cwd);
    expect(isAsShown(output, printed) ? output : printed).toBe(output);
  });

  it("are in the manual of their command", async () => {
    for (const { args, output } of examples) {
      const { stdout } = await runInProcess(["help", args.split(" ")[0] ?? ""]);
      expect(stdout).toContain(`waybill ${args}\n`);
      for (const line of output.split("\n")) expect(stdout).toContain(line);
    }
  });
});
