import type { ToolContext } from "waybill/server";
import type { KeptData } from "../kept-data.ts";
import type { TaskArguments } from "./task.ts";
import { type Task, shownTask, tasksOf } from "./tasks-of.ts";

const WHOLE_UP_TO = 100;

function isMatch({ status, phase }: Task, args: TaskArguments): boolean {
  return (args.status ?? status) === status && (args.phase ?? phase) === phase;
}

/** All matching tasks with counts in `data`, or a page of them when the caller pages or there are too many. */
export async function queryTasks(
  data: KeptData,
  args: TaskArguments,
  context: ToolContext<never, true>,
): Promise<object> {
  const reading = await tasksOf(data, args.spec_id, { fresh: args.fresh === true });
  if (reading.isCached && args.tell?.includes("timing") === true) {
    context.cached({ ageSeconds: reading.ageSeconds, maxFreshnessSeconds: data.maxFreshnessSeconds });
  }
  const matching = reading.tasks.filter((task) => isMatch(task, args));
  const isFiltered = args.status !== undefined || args.phase !== undefined;
  const isPaged = args.cursor !== undefined || args.page_size !== undefined || args.limit !== undefined;
  if (!isPaged && matching.length <= WHOLE_UP_TO) {
    return {
      tasks: matching.map(shownTask),
      total_count: reading.tasks.length,
      ...(isFiltered ? { filtered_count: matching.length } : {}),
    };
  }
  if (args.limit !== undefined) context.warn("Deprecated field used");
  return context.page({
    path: "tasks",
    limit: args.page_size ?? args.limit,
    total: matching.length,
    fetch: ({ after, limit }) =>
      matching
        .filter(({ task_id }) => typeof after !== "string" || task_id > after)
        .slice(0, limit)
        .map(shownTask),
    key: ({ task_id }) => task_id,
    // A second read of the file does not make another list.
    filters: { spec_id: args.spec_id ?? null, status: args.status ?? null, phase: args.phase ?? null },
  });
}
