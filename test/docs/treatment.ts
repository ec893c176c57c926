import { type Block, markOf } from "./read-blocks.ts";

/** What is done with a block. "by" names the test that does it. */
export type Treatment =
  | {
      readonly kind: "executed" | "type-checked" | "validated" | "generated";
      readonly by: string;
      readonly why?: string;
    }
  | { readonly kind: "not run"; readonly why: string }
  | { readonly kind: "forgotten" };

const here = {
  ts: "test/docs/ts-blocks.test.ts",
  data: "test/docs/data-blocks.test.ts",
  console: "test/docs/console-blocks.test.ts",
  sentences: "test/docs/sentence-blocks.test.ts",
  shell: "test/docs/shell-blocks.test.ts",
};

/** Marks that tests of their own look for, and what such a test does with the block below. */
const marked: readonly (readonly [mark: RegExp, kind: "executed" | "validated" | "generated", by: string])[] =
  [
    [/^readme(?:-output)?: /, "executed", "test/pins/readme.test.ts"],
    [
      /^quick-start:begin$|^quick-start-output$|^by-hand:begin$|^resources:begin$|^testing-(?:vitest|node):begin$/,
      "executed",
      "test/pins/quick-start.test.ts",
    ],
    [/^http-(?:server:begin|clients:begin|output)$/, "executed", "test/pins/http-recipe.test.ts"],
    [/^gateway-in-code:begin$/, "executed", "test/pins/gateway-in-code.test.ts"],
    [/^client: /, "executed", "test/pins/client-examples.test.ts"],
    [/^fit: /, "executed", "test/pins/fit-examples.test.ts"],
    [/^migration: /, "executed", "test/journeys/migration.test.ts"],
    [/^output$/, "executed", "test/journeys/examples.test.ts"],
    [/^agent-loop-output$/, "executed", "test/journeys/agent-loop.test.ts"],
    [/^testing-fuzz:begin$/, "executed", "src/doors/testing/fuzz/fuzz-tool.test.ts"],
    [/^(?:action|pre-commit):begin$/, "executed", "test/journeys/check-recipes.test.ts"],
    [/^example: /, "validated", "test/pins/docs-examples.test.ts"],
    [/^stages:begin$/, "validated", "test/pins/stages.test.ts"],
    [/^walk:begin$|^document-(?:call|answer)$/, "generated", "test/pins/generated.test.ts"],
  ];

/** Pages whose blocks of a language are all taken by a test of the page's own. */
const ofPages: readonly (readonly [page: string, language: string, by: string])[] = [
  ["docs/cli.md", "console", "src/cli/docs.test.ts"],
  ["docs/audit.md", "console", "src/cli/commands/audit.test.ts"],
  ["docs/ledger.md", "console", "src/cli/commands/ledger.test.ts"],
  ["docs/migration.md", "console", "test/journeys/migration.test.ts"],
  ["examples/ai-sdk/README.md", "sh", "test/journeys/examples.test.ts"],
  ["examples/openai-agents/README.md", "sh", "test/journeys/examples.test.ts"],
  ["examples/fastmcp/README.md", "sh", "test/journeys/examples.test.ts"],
  ["examples/python-servers/README.md", "console", "test/journeys/python-pages.test.ts"],
  ["examples/hono/README.md", "sh", "test/journeys/examples.test.ts"],
  ["examples/library/README.md", "sh", "test/journeys/examples.test.ts"],
  ["docs/shape.md", "jsonc", "src/core/pipeline/shape/shape-docs.test.ts"],
  ["docs/safe-fetching.md", "ts", "src/engine/digest/fetching/docs.test.ts"],
  ["docs/shape.md", "json", "src/core/json/table/table-docs.test.ts"],
];

/** By language, where nothing else is said. */
function byLanguage({ language }: Block): Treatment {
  switch (language) {
    case "ts":
      return { kind: "executed", by: here.ts };
    case "json":
    case "jsonc":
    case "yaml":
      return { kind: "validated", by: here.data };
    case "console":
      return { kind: "executed", by: here.console };
    case "text":
      return { kind: "executed", by: here.sentences };
    case "sh":
      return { kind: "executed", by: here.shell };
    default:
      return { kind: "forgotten" };
  }
}

/** What is done with a block: as its marks say, else as its page or its language does. */
export function treatmentOf(block: Block): Treatment {
  const why = markOf(block, "not run");
  if (why !== undefined)
    return block.language === "ts" ? { kind: "type-checked", by: here.ts, why } : { kind: "not run", why };
  const by = markOf(block, "run by");
  if (by !== undefined) return { kind: "executed", by };
  if (markOf(block, "prints") !== undefined) return { kind: "executed", by: here.console };
  if (markOf(block, "gives") !== undefined) return { kind: "executed", by: here.ts };
  for (const mark of block.marks) {
    const [, kind, test] = marked.find(([known]) => known.test(mark)) ?? [];
    if (kind !== undefined && test !== undefined) return { kind, by: test };
  }
  const own = ofPages.find(([page, language]) => page === block.page && language === block.language);
  if (own !== undefined) return { kind: "executed", by: own[2] };
  // The output of a program is directly below it.
  if (block.language === "" && block.above?.language === "ts") {
    const program = treatmentOf(block.above);
    if (program.kind === "executed" && program.by !== here.ts) return program;
  }
  return byLanguage(block);
}

/** Blocks that one of the tests of this folder has to take. */
export function isTakenBy(block: Block, test: keyof typeof here): boolean {
  const treatment = treatmentOf(block);
  return "by" in treatment && treatment.by === here[test];
}
