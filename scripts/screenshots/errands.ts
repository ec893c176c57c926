// What clients do with the four servers while the pictures are prepared: small answers, large ones, failures.

import { cpSync } from "node:fs";
import { join } from "node:path";

export interface Errand {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** How often it is chosen, against the others of its server. */
  readonly weight: number;
  /** Called after it, where its result was cut. The archive is added. */
  readonly after?: Readonly<Record<string, unknown>> | undefined;
}

const root = new URL("../../", import.meta.url).pathname;

/** A folder as a person has it: pages and programs, some of them long. */
export function fillProjects(folder: string): void {
  for (const name of ["docs", "examples"]) cpSync(join(root, name), join(folder, name), { recursive: true });
}

const kinds = ["customer", "parcel", "depot", "driver"] as const;
const towns = ["Basel", "Genoa", "Lille", "Porto", "Turku", "Graz", "Split"] as const;

/** What an assistant has noted over some weeks: too much to read at once. */
export function notedEntities(): readonly object[] {
  return Array.from({ length: 420 }, (_, at) => {
    const kind = kinds[at % kinds.length];
    const town = towns[at % towns.length];
    return {
      name: `${kind}-${at + 1}`,
      entityType: kind,
      observations: [
        `Belongs to ${town}, round ${1 + (at % 9)}.`,
        `Seen on day ${1 + (at % 28)}: all in order.`,
      ],
    };
  });
}

const reads = (path: string, weight: number, after?: Errand["after"]): Errand => ({
  tool: "read_text_file",
  args: { path },
  weight,
  after,
});

export const errands: Readonly<Record<string, readonly Errand[]>> = {
  files: [
    reads("docs/faq.md", 4),
    reads("docs/edge.md", 4),
    reads("docs/cli.md", 2, { grep: { pattern: "--dashboard", context: 1 } }),
    reads("docs/check.md", 2, { query: "failures that pass for successes", limit: 2 }),
    reads("docs/sources.md", 1, { lines: "100-140" }),
    reads("docs/roadmap.md", 1),
    reads("/etc/shadow", 0.5),
    { tool: "list_directory", args: { path: "docs" }, weight: 3 },
    { tool: "search_files", args: { path: ".", pattern: "**/*.ts" }, weight: 2 },
    { tool: "directory_tree", args: { path: "." }, weight: 2 },
  ],
  memory: [
    { tool: "search_nodes", args: { query: "Lille" }, weight: 4 },
    { tool: "open_nodes", args: { names: ["customer-1", "parcel-2"] }, weight: 5 },
    {
      tool: "read_graph",
      args: {},
      weight: 3,
      after: { select: "count_by(entities, &entityType)" },
    },
    {
      tool: "add_observations",
      args: { observations: [{ entityName: "nobody", contents: ["Moved."] }] },
      weight: 0.5,
    },
  ],
  everything: [
    { tool: "echo", args: { message: "Is anybody there?" }, weight: 3 },
    { tool: "get-sum", args: { a: 17, b: 25 }, weight: 3 },
    { tool: "get-sum", args: { a: "seventeen", b: 25 }, weight: 0.5 },
    { tool: "get-structured-content", args: { location: "Chicago" }, weight: 2 },
  ],
  workshop: [
    { tool: "task", args: { action: "query", spec_id: "my-feature" }, weight: 4 },
    { tool: "spec", args: { action: "get", spec_id: "my-feature", include: ["tasks"] }, weight: 4 },
    { tool: "research", args: { action: "report", research_id: "research-001" }, weight: 4 },
    { tool: "customers_list", args: {}, weight: 3 },
    { tool: "task", args: { action: "get", spec_id: "my-feature", task_id: "task-099" }, weight: 1 },
    { tool: "spec", args: { action: "export" }, weight: 0.5 },
  ],
};
