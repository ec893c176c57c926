import { ToolFault, blockedResponse } from "waybill";
import type { ToolContext } from "waybill/server";
import type { KeptData } from "../kept-data.ts";
import { type Task, findTask } from "./tasks-of.ts";

export function openDependencies(tasks: readonly Task[], task: Task): string[] {
  const isOpen = (id: string): boolean => findTask(tasks, id).status !== "completed";
  return (task.depends_on ?? []).filter(isOpen);
}

/** Blocked work is a success that says so; the state is in the data, the warning beside it. */
export function completeTask(tasks: readonly Task[], task: Task, context: ToolContext): unknown {
  if (task.blocker !== undefined) {
    return blockedResponse({ id: task.task_id, idKey: "task_id", blocker: task.blocker });
  }
  const open = openDependencies(tasks, task);
  if (open.length > 0) {
    context.warn(`${task.task_id} waits for ${open.join(", ")}`);
    return { task_id: task.task_id, status: "blocked", blocker: `Waiting for ${open.join(", ")}` };
  }
  task.status = "completed";
  return { task_id: task.task_id, status: task.status };
}

function tryToComplete(data: KeptData, tasks: readonly Task[], id: string): string | ToolFault | undefined {
  try {
    const task = findTask(tasks, id);
    if (task.file !== undefined && !data.files.has(task.file)) return "Missing file";
    if (task.blocker !== undefined || openDependencies(tasks, task).length > 0) return "Task is blocked";
    task.status = "completed";
    return undefined;
  } catch (error) {
    if (ToolFault.isInstance(error)) return error;
    throw error;
  }
}

/** Some may fail: the data counts them and lists up to `maxFailures`; all failing is a failure. */
export function completeTasks(
  data: KeptData,
  tasks: readonly Task[],
  ids: readonly string[],
  maxFailures: number | undefined,
  context: ToolContext,
): unknown {
  const items = ids.map((id) => ({ id, error: tryToComplete(data, tasks, id) }));
  const { failures, ...counts } = context.partial(items, { idKey: "task_id", noun: "tasks" });
  return { ...counts, failures: Array.isArray(failures) ? failures.slice(0, maxFailures) : [] };
}
