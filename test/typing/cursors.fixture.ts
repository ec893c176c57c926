/** A tool with faults, and a client that knows it. */
const declared = `const errors = {
  gone: { code: "NOT_FOUND", when: "No task has this id", details: z.object({ task_id: z.string() }) },
  closed: { code: "PERIOD_CLOSED", type: "conflict", when: "The month is closed" },
} as const;
const inputSchema = z.object({ id: z.string() });
const taskGet = defineTool("task_get", { description: "One task", inputSchema, errors }, ({ id }) => ({ task: { id } }));
const taskList = defineTool("task_list", { description: "Tasks" }, () => ({ tasks: [{ id: "a" }] }));
const contract = createContract({ tools: [taskGet, taskList] });
const tools = contractClient<ToolsOf<typeof contract>>(async () => ({}));
`;

/** A program that is being written, and what an editor offers at its cursor. */
export interface Cursor {
  readonly at: string;
  readonly program: string;
  /** Names that are offered, and names that are not. */
  readonly offers: readonly string[];
  readonly lacks?: readonly string[];
}

export const cursors: readonly Cursor[] = [
  {
    at: "the code of a declared fault",
    program: `defineTool("t", { description: "t", errors: { gone: { code: "‸" } } }, () => ({}));`,
    offers: ["NOT_FOUND", "CONFLICT", "RATE_LIMIT_EXCEEDED", "ALREADY_EXISTS"],
  },
  {
    at: "the type of a declared fault",
    program: `defineTool("t", { description: "t", errors: { gone: { code: "GONE", when: "x", type: "‸" } } }, () => ({}));`,
    offers: ["validation", "not_found", "conflict", "feature_flag", "unavailable"],
  },
  {
    at: "the keys of a declared fault",
    program: `defineTool("t", { description: "t", errors: { gone: { code: "NOT_FOUND", ‸ } } }, () => ({}));`,
    offers: ["when", "type", "details", "remediation", "retryable"],
    lacks: ["code"],
  },
  {
    at: "the name in ctx.fail",
    program: `${declared}defineTool("t", { description: "t", errors }, (_, ctx) => ctx.fail("‸"));`,
    offers: ["gone", "closed"],
    lacks: ["NOT_FOUND"],
  },
  {
    at: "the details in ctx.fail",
    program: `${declared}defineTool("t", { description: "t", errors }, (_, ctx) => ctx.fail("gone", { ‸ }));`,
    offers: ["task_id"],
  },
  {
    at: "the ready-made faults",
    program: `throw faults.‸;`,
    offers: ["notFound", "validation", "rateLimited", "fromResponse"],
  },
  {
    at: "the code of a ready-made fault",
    program: `throw faults.validation("No", { errorCode: "‸" });`,
    offers: ["INVALID_FORMAT", "MISSING_REQUIRED"],
  },
  {
    at: "the options of a tool",
    program: `defineTool("t", { description: "t", ‸ }, () => ({}));`,
    offers: ["errors", "paging", "inputSchema", "timeoutMs", "budget"],
    lacks: ["description"],
  },
  {
    at: "the dialect of a contract",
    program: `createContract({ dialect: "‸" });`,
    offers: ["response-v2", "scalpel", "drf", "plain", "auto"],
  },
  {
    at: "the profile of a contract",
    program: `createContract({ profile: "‸" });`,
    offers: ["minimal", "standard", "debug"],
  },
  {
    at: "a setting in a group",
    program: `createContract({ fit: { strategy: "‸" } });`,
    offers: ["relevance", "head", "digest"],
  },
  {
    at: "a value of the output schema",
    program: `const outputSchema = z.object({ task: z.object({ status: z.enum(["pending", "done"]) }) });
defineTool("t", { description: "t", outputSchema }, () => ({ task: { status: "‸" } }));`,
    offers: ["pending", "done"],
  },
  {
    at: "the tool of a call",
    program: `${declared}tools.call("‸");`,
    offers: ["task_get", "task_list"],
  },
  {
    at: "what a tool without an output schema gives",
    program: `${declared}const { data } = await tools.call("task_get", { id: "a" }, { complete: true });
data.task.‸;`,
    offers: ["id"],
  },
  {
    at: "the codes of a failed call",
    program: `${declared}const tried = await tools.tryCall("task_get", { id: "a" });
if (!tried.ok) hasCode(tried.error, "‸");`,
    offers: ["PERIOD_CLOSED", "NOT_FOUND", "HASH_MISMATCH"],
  },
  {
    at: "the details of a failed call",
    program: `${declared}tools.call("task_get", { id: "a" }).catch((error) => {
  if (hasCode(error, "NOT_FOUND")) error.details.‸;
});`,
    offers: ["task_id"],
  },
];
