import { ToolFault, faults } from "waybill";
import { type ToolDefinition, defineTool } from "waybill/server";
import * as z from "zod";
import type { KeptData } from "../kept-data.ts";
import { requireSpecId } from "./spec-id.ts";
import { type Task, tasksOf } from "./tasks-of.ts";

interface Spec {
  readonly spec_id: string;
  readonly title: string;
  readonly status: "active" | "pending";
}

const inputSchema = z.object({
  action: z.enum(["list", "get", "progress", "export"]).describe("What to do."),
  spec_id: z.string().nullish().describe("Lower-case letters, digits and hyphens."),
  folder: z.enum(["active", "pending"]).optional().describe("Look in this folder only."),
  include: z
    .array(z.enum(["hierarchy", "tasks"]))
    .optional()
    .describe("Payloads to send along."),
});

type SpecArguments = z.infer<typeof inputSchema>;

async function findSpec(data: KeptData, args: SpecArguments): Promise<Spec | string> {
  const id = requireSpecId(args.spec_id);
  const { value: specs } = await data.read<Spec[]>("specs.json");
  const found = specs.find(({ spec_id }) => spec_id === id);
  return found !== undefined && (args.folder ?? found.status) === found.status ? found : id;
}

async function readHierarchy(data: KeptData, spec: Spec): Promise<unknown> {
  try {
    return (await data.read(`hierarchies/${spec.spec_id}.json`)).value;
  } catch (cause) {
    // The cause goes to the log; its path is not for the model.
    throw new ToolFault("Spec file is not readable", { errorCode: "INTERNAL_ERROR", cause });
  }
}

async function getSpec(data: KeptData, args: SpecArguments): Promise<unknown> {
  const spec = await findSpec(data, args);
  if (typeof spec === "string") {
    throw faults.notFound("spec", spec, {
      remediation: "Check that the spec_id exists in specs/active/ or specs/pending/",
    });
  }
  const include = new Set(args.include);
  return {
    spec,
    ...(include.has("hierarchy") ? { hierarchy: await readHierarchy(data, spec) } : {}),
    ...(include.has("tasks") ? { tasks: (await tasksOf(data, spec.spec_id)).tasks } : {}),
  };
}

async function countProgress(data: KeptData, args: SpecArguments): Promise<unknown> {
  const spec = await findSpec(data, args);
  if (typeof spec === "string") {
    throw new ToolFault(`Spec '${spec}' not found`, {
      errorCode: "SPEC_NOT_FOUND",
      remediation: 'Verify the spec ID exists using spec(action="list")',
    });
  }
  const { tasks } = await tasksOf(data, spec.spec_id);
  const completed = tasks.filter(({ status }: Task) => status === "completed");
  return { spec_id: spec.spec_id, total_tasks: tasks.length, completed_tasks: completed.length };
}

/** Specifications: what exists, what one says, how far it is. */
export function specTool(data: KeptData): ToolDefinition<"spec", typeof inputSchema> {
  return defineTool(
    "spec",
    {
      description: "Lists specifications, gets one, counts its progress, or exports all.",
      inputSchema,
      annotations: { readOnlyHint: true },
      dialects: ["response-v2-draft"],
    },
    async (args, { flags }) => {
      if (args.action === "get") return getSpec(data, args);
      if (args.action === "progress") return countProgress(data, args);
      const { value: specs } = await data.read<Spec[]>("specs.json");
      if (args.action === "list") return { specs, count: specs.length };
      if (flags.isEnabled("batch_export")) return { exported: specs };
      throw faults.featureDisabled("batch_export", {
        remediation: "Contact support to enable this feature or check feature flag configuration",
      });
    },
  );
}
