import type { DialectId } from "../../core/contract/dialect-id.ts";
import { faults } from "../../core/contract/faults.ts";
import type { Notes } from "../../core/contract/outcome.ts";
import { defaultProfileOf, profileNamed } from "../../core/contract/profile.ts";
import { newRequestId } from "../../core/contract/request-id.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { createLog } from "../../engine/observe/log-event.ts";
import type { JsonValue } from "../../core/json/json-value.ts";
import type { Arrival, Asking, Parcel, PipelineContext } from "../../core/pipeline/parcel.ts";
import { stages, walkStages } from "../../core/pipeline/pipeline.ts";
import type { ProfileChoice } from "../choices.ts";
import { CliError, exitCodes } from "../cli-error.ts";
import { printable } from "../output/format-values.ts";
import type { Scene } from "../demo/gateway-tour.ts";
import { printTour } from "../demo/print-tour.ts";
import { type Step, describeChange, printNext, printSteps } from "../output/print-steps.ts";
import type { Report } from "../report.ts";

export interface DemoCommandOptions {
  readonly dialect?: DialectId | undefined;
  readonly profile?: ProfileChoice | undefined;
  readonly fail?: boolean | undefined;
  /** A question to apply to the result. */
  readonly select?: string | undefined;
  /** Only the tour of the gateway. */
  readonly gateway?: boolean | undefined;
}

const tasks = {
  tasks: [
    { task_id: "task-001", status: "completed", cost_cents: 4200 },
    { task_id: "task-002", status: "pending", cost_cents: 1250 },
    { task_id: "task-003", status: "pending", cost_cents: 900 },
  ],
  total_count: 3,
  query_plan: "index scan on tasks_by_spec, 3 rows",
};

const notes: Notes = {
  warnings: [{ code: "STALE_CACHE", severity: "warning", message: "The task index is 40 seconds old" }],
};

const nextCommands = [
  "waybill demo --fail",
  "waybill demo --json | waybill validate",
  "waybill demo --json | waybill translate --to scalpel --pretty",
  "waybill demo --select 'count_by(tasks, &status)'",
] as const;

/** Runs one result through the real pipeline; without options, it also shows a gateway in front of a server. */
export async function demo(options: DemoCommandOptions): Promise<Report> {
  const { dialect, profile, fail, select, gateway = false } = options;
  const walkOptions = { dialect, profile, fail, select };
  const asked = Object.entries(walkOptions).filter(([, value]) => value !== undefined);
  if (gateway && asked.length > 0)
    throw new CliError(
      `--gateway shows the gateway alone, so --${asked[0]?.[0] ?? ""} has no effect beside it.`,
      {
        remediation: "Leave one of them out.",
      },
    );
  const walk = gateway ? undefined : await walkOnce(options);
  const scenes = asked.length === 0 ? await tour() : undefined;
  return {
    exitCode: exitCodes.fine,
    data: { ...walk, ...(scenes === undefined ? {} : { gateway: [...scenes] }), next: nextCommands },
    text: (paint) =>
      [
        ...(walk === undefined ? [] : [printSteps(walk.steps, paint)]),
        ...(scenes === undefined ? [] : [printTour(scenes, paint)]),
        printNext(nextCommands, paint),
      ].join("\n\n"),
  };
}

/** A gateway, a client and a token counter: loaded only if they are shown. */
async function tour(): Promise<readonly Scene[]> {
  const { gatewayTour } = await import("../demo/gateway-tour.ts");
  return gatewayTour();
}

async function walkOnce({ dialect = "response-v2", profile, fail, select }: DemoCommandOptions) {
  const arrival: Arrival =
    fail === true
      ? { kind: "thrown", error: faults.notFound("task", "task-404"), notes }
      : { kind: "value", value: tasks, notes };
  const context: PipelineContext = {
    tool: { id: "task_query", version: "1.0.0" },
    dialect,
    profile: profileNamed(profile ?? defaultProfileOf(dialect)),
    delivery: "mirror",
    requestId: newRequestId("req"),
    requestIdFrom: "server",
    filter: { exclude: ["tasks[*].cost_cents", "query_plan"] },
    asking: select === undefined ? undefined : await askingOf(select),
  };
  const steps = await collectSteps(arrival, context);
  return { tool: context.tool.id, dialect, profile: context.profile.name, steps };
}

/** The question as a server applies it: errors are reported before anything runs, or in a warning beside the whole. */
async function askingOf(expression: string): Promise<Asking> {
  const { QuestionWorkers } = await import("../../engine/call/question-workers.ts");
  const desk = new QuestionWorkers(createLog({ level: "silent" }));
  try {
    await desk.check(expression);
  } catch (error) {
    if (!ToolFault.isInstance(error)) throw error;
    const { message, remediation, details } = error;
    throw new CliError(printable(message), { remediation, details });
  }
  return { isTyped: false, ask: (data) => desk.ask(data, expression, undefined) };
}

async function collectSteps(arrival: Arrival, context: PipelineContext): Promise<Step[]> {
  let last = viewOf({ arrival, trace: [] });
  const steps = [
    toStep("handler", `${context.tool.id} ${arrival.kind === "value" ? "returns" : "throws"}`, last, ""),
  ];
  let index = 0;
  for await (const parcel of walkStages(arrival, context)) {
    const { name = "", does = "" } = stages[index++] ?? {};
    const view = viewOf(parcel);
    const said = parcel.trace.at(-1)?.says ?? "";
    const change =
      view.part === last.part ? describeChange(last.json, view.json) : `${last.part} -> ${view.part}`;
    steps.push(toStep(name, does, view, `${said}; ${change}`));
    last = view;
  }
  return steps;
}

interface View {
  readonly part: string;
  readonly json: JsonValue;
}

/** The part of a parcel that the latest stage wrote. */
function viewOf({ result, wire, outcome, arrival }: Parcel): View {
  const plain = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;
  if (result !== undefined) return { part: "result", json: plain(result) };
  if (wire !== undefined) return { part: wire.level, json: plain(wire.json) };
  if (outcome !== undefined) return { part: "outcome", json: plain(outcome) };
  if (arrival.kind === "value") return { part: "value", json: plain(arrival.value) };
  if (arrival.kind === "result") return { part: "result", json: plain(arrival.result) };
  return { part: "exception", json: String(arrival.error) };
}

function toStep(name: string, does: string, { json }: View, change: string): Step {
  return { name, does, change, bytes: Buffer.byteLength(JSON.stringify(json)), json };
}
