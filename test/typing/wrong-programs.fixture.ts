/** A program with one mistake, and the line that the compiler begins with. */
export interface WrongProgram {
  readonly mistake: string;
  readonly program: string;
  readonly says: string;
}

const task = `const task = z.object({ task: z.object({ id: z.string(), status: z.enum(["pending", "done"]) }) });
`;
const errors = `const errors = {
  gone: { code: "NOT_FOUND", when: "No task has this id", details: z.object({ task_id: z.string() }) },
} as const;
`;
const client = `${errors}const taskGet = defineTool(
  "task_get",
  { description: "One task", inputSchema: z.object({ id: z.string() }), errors },
  ({ id }) => ({ task: { id, at: new Date() } }),
);
const tools = contractClient<ToolsOf<readonly [typeof taskGet]>>(async () => ({}));
`;

export const wrongPrograms: readonly WrongProgram[] = [
  {
    mistake: "a code of the author's own without its type",
    program: `defineTool("t", { description: "t", errors: { frozen: { code: "TASK_FROZEN", when: "x" } } }, () => ({}));`,
    says: "Type '\"TASK_FROZEN\"' is not assignable to type '\"TASK_FROZEN\" & NoCodeOfTheRegistrySoItNeedsItsType'.",
  },
  {
    mistake: "a misspelt code",
    program: `defineTool("t", { description: "t", errors: { gone: { code: "NOT_FUND", when: "x" } } }, () => ({}));`,
    says: "Type '\"NOT_FUND\"' is not assignable to type '\"NOT_FUND\" & NoCodeOfTheRegistrySoItNeedsItsType'.",
  },
  {
    mistake: "a fault that does not say when it happens",
    program: `defineTool("t", { description: "t", errors: { gone: { code: "NOT_FOUND" } } }, () => ({}));`,
    says: "Type '{ code: \"NOT_FOUND\"; }' is not assignable to type 'DeclaredFault<StandardSchema<unknown, unknown> | undefined> & { readonly code: unknown; readonly type?: unknown; readonly when: unknown; readonly remediation?: unknown; readonly retryable?: unknown; readonly details?: unknown; }'.",
  },
  {
    mistake: "a misspelt key of a fault",
    program: `defineTool("t", { description: "t", errors: { gone: { code: "NOT_FOUND", when: "x", remedy: "y" } } }, () => ({}));`,
    says: "Type '\"y\"' is not assignable to type '\"y\" & NoKeyOfADeclaredFault'.",
  },
  {
    mistake: "a fault that is not declared",
    program: `${errors}defineTool("t", { description: "t", errors }, (_, ctx) => ctx.fail("closed"));`,
    says: "Argument of type '\"closed\"' is not assignable to parameter of type '\"gone\"'.",
  },
  {
    mistake: "a fault where none is declared",
    program: `defineTool("t", { description: "t" }, (_, ctx) => ctx.fail("gone"));`,
    says: "Argument of type 'string' is not assignable to parameter of type 'NoErrorsAreDeclaredInTheOptionsOfThisTool'.",
  },
  {
    mistake: "wrong details of a fault",
    program: `${errors}defineTool("t", { description: "t", errors }, (_, ctx) => ctx.fail("gone", { task_id: 7 }));`,
    says: "Type 'number' is not assignable to type 'string'.",
  },
  {
    mistake: "missing details of a fault",
    program: `${errors}defineTool("t", { description: "t", errors }, (_, ctx) => ctx.fail("gone"));`,
    says: "Expected 2-3 arguments, but got 1.",
  },
  {
    mistake: "a page without paging: true",
    program: `defineTool("t", { description: "t" }, (_, ctx) =>
  ctx.page({ path: "tasks", fetch: ({ limit }) => [{ id: "a" }].slice(0, limit), key: ({ id }) => id }));`,
    says: "Object literal may only specify known properties, and 'path' does not exist in type 'SetPagingTrueOrTakeACursor'.",
  },
  {
    mistake: "a page in a function that takes the context of any tool",
    program: `export const list = (ctx: ToolContext) =>
  ctx.page({ path: "tasks", fetch: ({ limit }) => [{ id: "a" }].slice(0, limit), key: ({ id }) => id });`,
    says: "Argument of type '{ path: string; fetch: ({ limit }: { limit: any; }) => { id: string; }[]; key: ({ id }: { id: any; }) => any; }' is not assignable to parameter of type 'never'.",
  },
  {
    mistake: "paging: true without a page",
    program: `defineTool("t", { description: "t", paging: true }, () => ({ tasks: [] }));`,
    says: "Argument of type '() => { readonly tasks: readonly []; }' is not assignable to parameter of type 'MustReturn<NoPage<\"This tool has paging: true. Return ctx.page(…) or { ...page, more }, or remove paging.\">> & WrittenHandler<undefined, { readonly tasks: readonly []; }, Readonly<...>, boolean>'.",
  },
  {
    mistake: "paging: true without a page, later",
    program: `defineTool("t", { description: "t", paging: true }, async () => ({ tasks: [] }));`,
    says: "Argument of type '() => Promise<{ readonly tasks: readonly []; }>' is not assignable to parameter of type 'MustReturn<NoPage<\"This tool has paging: true. Return ctx.page(…) or { ...page, more }, or remove paging.\">> & WrittenHandler<undefined, { readonly tasks: readonly []; }, Readonly<...>, boolean>'.",
  },
  {
    mistake: "a Map",
    program: `defineTool("t", { description: "t" }, () => new Map([["a", 1]]));`,
    says: "Argument of type '() => Map<string, number>' is not assignable to parameter of type 'MustReturn<NotJson<\"A Map is no JSON. Send Object.fromEntries(map).\">> & WrittenHandler<undefined, Map<string, number>, Readonly<Record<never, DeclaredFault<StandardSchema<unknown, unknown> | undefined>>>, false>'.",
  },
  {
    mistake: "a Map, later",
    program: `defineTool("t", { description: "t" }, async () => new Map([["a", 1]]));`,
    says: "Argument of type '() => Promise<Map<string, number>>' is not assignable to parameter of type 'MustReturn<NotJson<\"A Map is no JSON. Send Object.fromEntries(map).\">> & WrittenHandler<undefined, Map<string, number>, Readonly<Record<never, DeclaredFault<StandardSchema<unknown, unknown> | undefined>>>, false>'.",
  },
  {
    mistake: "a Map in the data",
    program: `defineTool("t", { description: "t" }, () => ({ counts: new Map([["a", 1]]) }));`,
    says: "Argument of type '() => { readonly counts: Map<string, number>; }' is not assignable to parameter of type 'MustReturn<{ readonly counts: NotJson<\"A Map is no JSON. Send Object.fromEntries(map).\">; }> & WrittenHandler<undefined, { readonly counts: Map<string, number>; }, Readonly<...>, false>'.",
  },
  {
    mistake: "a Set in a list",
    program: `defineTool("t", { description: "t" }, () => ({ tasks: [{ tags: new Set(["a"]) }] }));`,
    says: "Argument of type '() => { readonly tasks: readonly [{ readonly tags: Set<string>; }]; }' is not assignable to parameter of type 'MustReturn<{ readonly tasks: readonly { readonly tags: NotJson<\"A Set is no JSON. Send [...set].\">; }[]; }> & WrittenHandler<undefined, { readonly tasks: readonly [{ readonly tags: Set<string>; }]; }, Readonly<...>, false>'.",
  },
  {
    mistake: "a function",
    program: `defineTool("t", { description: "t" }, () => () => 1);`,
    says: "Argument of type '() => () => any' is not assignable to parameter of type 'MustReturn<NotJson<\"A function is no JSON. Call it and send its result, or leave it out.\">> & WrittenHandler<undefined, () => any, Readonly<Record<never, DeclaredFault<StandardSchema<unknown, unknown> | undefined>>>, false>'.",
  },
  {
    mistake: "an instance with methods",
    program: `class Task { readonly id = "a"; close() { return this.id; } }
defineTool("t", { description: "t" }, () => new Task());`,
    says: "Argument of type '() => Task' is not assignable to parameter of type 'MustReturn<{ readonly id: \"a\"; readonly close: NotJson<\"A function is no JSON. Call it and send its result, or leave it out.\">; }> & WrittenHandler<undefined, Task, Readonly<...>, false>'.",
  },
  {
    mistake: "an instance with a private member",
    program: `class Task { readonly #id = "a"; static idOf(task: Task) { return task.#id; } }
defineTool("t", { description: "t" }, () => new Task());`,
    says: "Argument of type '() => Task' is not assignable to parameter of type 'MustReturn<NotJson<\"An instance of a class is no JSON. Send a plain object, or give the class toJSON().\">> & WrittenHandler<undefined, Task, Readonly<Record<never, DeclaredFault<...>>>, false>'.",
  },
  {
    mistake: "a bigint",
    program: `defineTool("t", { description: "t" }, () => ({ size: 10n }));`,
    says: "Argument of type '() => { readonly size: 10n; }' is not assignable to parameter of type 'MustReturn<{ readonly size: NotJson<\"A bigint is no JSON. Send String(value).\">; }> & WrittenHandler<undefined, { readonly size: 10n; }, Readonly<Record<never, DeclaredFault<StandardSchema<unknown, unknown> | undefined>>>, false>'.",
  },
  {
    mistake: "a promise that is not awaited",
    program: `defineTool("t", { description: "t" }, () => ({ task: Promise.resolve({ id: "a" }) }));`,
    says: "Argument of type '() => { readonly task: Promise<{ id: string; }>; }' is not assignable to parameter of type 'MustReturn<{ readonly task: NotJson<\"A promise is no JSON. Await it and send its result.\">; }> & WrittenHandler<undefined, { readonly task: Promise<{ id: string; }>; }, Readonly<...>, false>'.",
  },
  {
    mistake: "an Error that is returned",
    program: `defineTool("t", { description: "t" }, () => new Error("No"));`,
    says: "Argument of type '() => Error' is not assignable to parameter of type 'MustReturn<NotJson<\"An Error is no JSON. Throw it, throw a fault, or send { message: error.message }.\">> & WrittenHandler<undefined, Error, Readonly<Record<never, DeclaredFault<...>>>, false>'.",
  },
  {
    mistake: "data of another type than the output schema",
    program: `${task}defineTool("t", { description: "t", outputSchema: task }, () => ({ task: { id: 1, status: "done" } }));`,
    says: "Type 'number' is not assignable to type 'string'.",
  },
  {
    mistake: "a value that the output schema does not have",
    program: `${task}defineTool("t", { description: "t", outputSchema: task }, () => ({ task: { id: "a", status: "open" } }));`,
    says: 'Type \'"open"\' is not assignable to type \'"done" | "pending"\'.',
  },
  {
    mistake: "a failure without an error",
    program: `${task}defineTool("t", { description: "t", outputSchema: task }, () => ({ success: false }));`,
    says: "Type '{ readonly success: false; }' is not assignable to type 'Promise<ReadyResult | ReportedFailure | ToolFault | UnfinishedResult | { readonly task: { readonly id: string; readonly status: \"done\" | \"pending\"; }; } | ResponseEnvelope<...>> | ... 5 more ... | ResponseEnvelope<...>'.",
  },
  {
    mistake: "a misspelt option of a tool",
    program: `defineTool("t", { description: "t", timeoutMS: 5 }, () => ({}));`,
    says: "Object literal may only specify known properties, but 'timeoutMS' does not exist in type 'ToolConfig<undefined, undefined, Readonly<Record<never, DeclaredFault<StandardSchema<unknown, unknown> | undefined>>>> & { ...; }'. Did you mean to write 'timeoutMs'?",
  },
  {
    mistake: "a misspelt dialect",
    program: `createContract({ dialect: "response_v2" });`,
    says: 'Type \'"response_v2"\' is not assignable to type \'"auto" | "drf" | "plain" | "response-v1" | "response-v2" | "response-v2-draft" | "scalpel" | undefined\'. Did you mean \'"response-v2"\'?',
  },
  {
    mistake: "a call of an unknown tool",
    program: `${client}await tools.call("task_got", { id: "a" });`,
    says: "Argument of type '\"task_got\"' is not assignable to parameter of type '\"task_get\"'.",
  },
  {
    mistake: "a call without its argument",
    program: `${client}await tools.call("task_get", {});`,
    says: "Property 'id' is missing in type '{}' but required in type '{ id: string; }'.",
  },
  {
    mistake: "a field that the tool does not return",
    program: `${client}const { data } = await tools.call("task_get", { id: "a" }, { complete: true });
data.task.title;`,
    says: "Property 'title' does not exist on type '{ id: string; at: string; }'.",
  },
  {
    mistake: "a date that came as a text",
    program: `${client}const { data } = await tools.call("task_get", { id: "a" }, { complete: true });
data.task.at.getTime();`,
    says: "Property 'getTime' does not exist on type 'string'.",
  },
  {
    mistake: "a detail of a fault, taken for a number",
    program: `${client}const tried = await tools.tryCall("task_get", { id: "a" });
if (!tried.ok && hasCode(tried.error, "NOT_FOUND")) tried.error.details.task_id.toFixed();`,
    says: "Property 'toFixed' does not exist on type 'string'. Did you mean 'fixed'?",
  },
];
