import { faults, successResponse } from "waybill";
import { type ToolContext, type ToolDefinition, defineTool } from "waybill/server";
import * as z from "zod";
import type { KeptData } from "../kept-data.ts";
import { completeTask, completeTasks, openDependencies } from "./complete-task.ts";
import { queryTasks } from "./query-tasks.ts";
import { LibraryQuota, tellArgument, toldFigures } from "./told-figures.ts";
import { findTask, shownTask, tasksOf } from "./tasks-of.ts";

const actions = ["query", "list", "get", "check", "complete", "comment"] as const;

const inputSchema = z.object({
  action: z.enum(actions).describe("What to do."),
  spec_id: z.string().nullish().describe("The specification the tasks belong to."),
  task_id: z.string().optional().describe("For get, check, complete and comment."),
  task_ids: z.array(z.string()).max(1000).optional().describe("Complete many at once."),
  max_failures: z.int().min(0).optional().describe("List at most so many failures of a batch."),
  status: z.enum(["pending", "completed"]).optional().describe("Only tasks in this state."),
  phase: z.string().optional().describe("Only tasks of this phase."),
  cursor: z.string().nullish().describe("The cursor of the last page; null asks for the first page."),
  page_size: z.int().min(1).optional().describe("Tasks on a page; without it and cursor all come at once."),
  limit: z.int().min(1).optional().describe("Deprecated: use page_size."),
  tell: tellArgument,
  fresh: z.boolean().optional().describe("Read the file again instead of the cached copy."),
  text: z.string().optional().describe("The comment."),
});

export type TaskArguments = z.infer<typeof inputSchema>;

async function act(
  data: KeptData,
  quota: LibraryQuota,
  args: TaskArguments,
  context: ToolContext<never, true>,
): Promise<unknown> {
  if (args.action === "query") {
    const about = { startedAt: performance.now(), rateLimit: quota.take() };
    return successResponse(await queryTasks(data, args, context), toldFigures(args.tell, about));
  }
  const { tasks } = await tasksOf(data, args.spec_id);
  if (args.action === "list") return { tasks: tasks.map(shownTask), count: tasks.length };
  if (args.action === "complete" && args.task_ids !== undefined) {
    return completeTasks(data, tasks, args.task_ids, args.max_failures, context);
  }
  const task = findTask(tasks, args.task_id);
  if (args.action === "get") return { task: shownTask(task) };
  if (args.action === "complete") return completeTask(tasks, task, context);
  if (args.action === "comment") {
    if (args.text?.trim()) return undefined;
    throw faults.validation("Validation failed: text is required", {
      details: { field: "text", constraint: "required", received: args.text ?? null },
    });
  }
  const open = openDependencies(tasks, task);
  if (open.length === 0) return { task_id: task.task_id, status: "ready", blocked_by: [] };
  context.warn(`${task.task_id} waits for ${open.join(", ")}`);
  return { task_id: task.task_id, status: "blocked", blocked_by: open };
}

/** Tasks of a specification: pages of them, one of them, and what happens when they are done. */
export function taskTool(data: KeptData): ToolDefinition<"task", typeof inputSchema> {
  const quota = new LibraryQuota();
  return defineTool(
    "task",
    {
      description: "Queries the tasks of a specification, gets, checks, completes or comments on them.",
      inputSchema,
      dialects: ["response-v2-draft"],
      rateLimit: { limit: 100, periodSeconds: 60 },
    },
    (args, context) => act(data, quota, args, context),
  );
}
