import type { DialectId } from "../../core/contract/dialect-id.ts";
import { faults } from "../../core/contract/faults.ts";
import type { Notes } from "../../core/contract/outcome.ts";
import { defaultProfileOf, profileNamed } from "../../core/contract/profile.ts";
import { newRequestId } from "../../core/contract/request-id.ts";
import { ToolFault } from "../../core/contract/tool-fault.ts";
import { createLog } from "../../engine/observe/log-event.ts";
import { type JsonValue, isJsonObject } from "../../core/json/json-value.ts";
import type { Arrival, Parcel } from "../../core/pipeline/parcel.ts";
import type { Asking, PipelineContext } from "../../core/pipeline/pipeline-context.ts";
import { stages, walkStages } from "../../core/pipeline/pipeline.ts";
import type { ProfileName } from "../../core/contract/choices.ts";
import { CliError, exitCodes } from "../cli-io.ts";
import { printable, shortJson } from "../output/format-values.ts";
import type { Scene } from "../demo/gateway-tour.ts";
import type { CommandReport, Paint } from "../report.ts";
import { jsonEqual } from "../../core/json/canonical-json.ts";
import { appendPointer } from "../../core/json/pointer.ts";

export interface DemoCommandOptions {
  readonly dialect?: DialectId | undefined;
  readonly profile?: ProfileName | undefined;
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
export async function demo(options: DemoCommandOptions): Promise<CommandReport> {
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

const HANDLE_DIGITS = 12;

/** A hash has 64 digits; people compare the first few. `--json` has the whole hash. */
const shorten = (text: string): string =>
  text.replaceAll(/[0-9a-f]{64}/g, (hash) => `${hash.slice(0, HANDLE_DIGITS)}…`);

/** The scenes of the tour, one below the other, each with its call and its cost. */
function printTour(scenes: readonly Scene[], paint: Paint): string {
  const head = paint.bold("The gateway in front of a server with 600 parcels:");
  const shown = scenes.map(({ title, call, says, tokens, json }) =>
    [
      `${paint.bold(paint.cyan(title))}  ${shorten(call)}`,
      `   ${paint.green(says)} ${paint.dim("·")} ${paint.dim(`${tokens} tokens`)}`,
      // Shortened before the layout, so that a short hash makes a short line.
      indent(shortJson(JSON.parse(shorten(JSON.stringify(json))) as JsonValue)),
    ].join("\n"),
  );
  return [head, ...shown, savingOf(scenes)].join("\n\n");
}

function savingOf(scenes: readonly Scene[]): string {
  const costOf = (wanted: string): number => scenes.find(({ title }) => title === wanted)?.tokens ?? 0;
  const parts = (["cut", "retrieval", "question"] as const).map(costOf);
  const sum = parts.reduce((total, tokens) => total + tokens, 0);
  const all = costOf("without the gateway");
  return `For a list, a record and a count the model reads ${parts.join(" + ")} = ${sum} tokens; the list alone has ${all}.`;
}

const NOTHING_CHANGED = "nothing changed";

/** What a stage changed in a value, in one line; places inside a list are named once, with `*` for the item. */
export function describeChange(before: JsonValue, after: JsonValue): string {
  if (jsonEqual(before, after)) return NOTHING_CHANGED;
  const removed = missingIn(before, after, "");
  const added = missingIn(after, before, "");
  const parts = [
    ...(removed.size > 0 ? [`removed ${[...removed].join(", ")}`] : []),
    ...(added.size > 0 ? [`added ${[...added].join(", ")}`] : []),
  ];
  return parts.length === 0 ? "values changed" : parts.join("; ");
}

function missingIn(value: JsonValue, other: JsonValue | undefined, path: string): Set<string> {
  const found = new Set<string>();
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : [];
    value.forEach((item, index) => {
      const inner = index < others.length ? missingIn(item, others[index], `${path}/*`) : [`${path}/*`];
      for (const place of inner) found.add(place);
    });
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const place = appendPointer(path, key);
      const kept = isJsonObject(other) && Object.hasOwn(other, key) ? other[key] : undefined;
      for (const inner of kept === undefined ? [place] : missingIn(item, kept, place)) found.add(inner);
    }
  }
  return found;
}

/** One stage of the demo: what it does, what it changed, and the JSON it left. */
interface Step {
  readonly name: string;
  readonly does: string;
  readonly change: string;
  readonly bytes: number;
  readonly json: JsonValue;
  readonly [key: string]: JsonValue;
}

/** The stages, one below the other. */
function printSteps(steps: readonly Step[], paint: Paint): string {
  const shown = steps.map((step, index) => {
    const title = `${paint.bold(paint.cyan(`${index}. ${step.name}`))}  ${step.does}`;
    const size = paint.dim(`${step.bytes} bytes`);
    const facts = step.change === "" ? size : `${paint.green(step.change)} ${paint.dim("·")} ${size}`;
    return [title, `   ${facts}`, indent(isSame(step) ? "(as before)" : shortJson(step.json))].join("\n");
  });
  return shown.join("\n\n");
}

/** Commands to copy. */
function printNext(commands: readonly string[], paint: Paint): string {
  return [paint.bold("Try next:"), ...commands.map((command) => `  ${command}`)].join("\n");
}

function isSame({ change }: Step): boolean {
  return change.endsWith(NOTHING_CHANGED);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "   ");
}
