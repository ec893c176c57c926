import { faults } from "waybill";
import type { KeptData } from "../kept-data.ts";
import { requireSpecId } from "./spec-id.ts";

export interface Task {
  readonly task_id: string;
  readonly description: string;
  status: "pending" | "completed";
  readonly phase?: string;
  readonly depends_on?: readonly string[];
  readonly blocker?: string;
  readonly file?: string;
}

export interface SpecTasks {
  readonly tasks: readonly Task[];
  readonly ageSeconds: number;
  readonly isCached: boolean;
}

/** The tasks of a specification; one without tasks has none, one that is unknown is a failure. */
export async function tasksOf(
  data: KeptData,
  specId: string | null | undefined,
  options: { readonly fresh?: boolean } = {},
): Promise<SpecTasks> {
  const id = requireSpecId(specId);
  const { value, ...reading } = await data.read<Record<string, Task[]>>("tasks.json", options);
  const tasks = Object.hasOwn(value, id) ? value[id] : undefined;
  if (tasks === undefined) throw faults.notFound("spec", id, { remediation: "Verify spec_id/task_id" });
  return { tasks, ...reading };
}

/** What a caller sees of a task. */
export function shownTask({
  task_id,
  description,
  status,
}: Task): Pick<Task, "task_id" | "description" | "status"> {
  return { task_id, description, status };
}

export function findTask(tasks: readonly Task[], taskId: string | undefined): Task {
  const id = taskId ?? "";
  const task = tasks.find(({ task_id }) => task_id === id);
  if (task !== undefined) return task;
  throw faults.notFound("task", id, {
    errorCode: "TASK_NOT_FOUND",
    remediation: 'Verify the task ID exists using task(action="list")',
  });
}
