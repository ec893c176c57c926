import { jsonEqual } from "../../../core/json/canonical-json.ts";
import type { JsonObject } from "../../../core/json/json-value.ts";
import type { ContractChange } from "../report/check-report.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { ContractSnapshot, ToolSnapshot } from "./contract-snapshot.ts";
import { compareShapes } from "./result-shape.ts";

type Change = Omit<ContractChange, "tool">;

/** What changed from one snapshot to another, breaking changes first. */
export function compareSnapshots(
  before: ContractSnapshot,
  after: ContractSnapshot,
): readonly ContractChange[] {
  const changes = [...new Set([...Object.keys(before.tools), ...Object.keys(after.tools)])].flatMap(
    (tool) => {
      const old = Object.hasOwn(before.tools, tool) ? before.tools[tool] : undefined;
      const now = Object.hasOwn(after.tools, tool) ? after.tools[tool] : undefined;
      return compareTool(old, now).map((change): ContractChange => ({ ...change, tool }));
    },
  );
  const rank = ({ kind }: ContractChange): number => (kind === "breaking" ? 0 : 1);
  return changes.sort((one, other) => rank(one) - rank(other));
}

function compareTool(old: ToolSnapshot | undefined, now: ToolSnapshot | undefined): readonly Change[] {
  if (now === undefined) return [{ kind: "breaking", path: "", message: "the tool is gone" }];
  if (old === undefined) return [{ kind: "harmless", path: "", message: "the tool is new" }];
  return [
    ...compareSchemas(old.inputSchema ?? {}, now.inputSchema ?? {}, "input", "/inputSchema"),
    ...compareOutput(old, now),
    ...compareHints(old.annotations ?? {}, now.annotations ?? {}),
    ...(old.description === now.description
      ? []
      : [
          {
            kind: "harmless" as const,
            path: "/description",
            message: "the description changed: models read another text",
          },
        ]),
    ...compareResults(old, now),
  ];
}

function compareOutput(
  { outputSchema: old }: ToolSnapshot,
  { outputSchema: now }: ToolSnapshot,
): readonly Change[] {
  const path = "/outputSchema";
  if (old === undefined)
    return now === undefined ? [] : [{ kind: "harmless", path, message: "results are described now" }];
  if (now === undefined) return [{ kind: "breaking", path, message: "results are not described any more" }];
  return compareSchemas(old, now, "output", path);
}

/** What the protocol takes for a hint that is not given, which is always the value that asks for more care. */
const carefulValues: Readonly<Record<string, boolean>> = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

function compareHints(old: JsonObject, now: JsonObject): readonly Change[] {
  return Object.keys(carefulValues).flatMap((hint): readonly Change[] => {
    const [before, after] = [old[hint] ?? carefulValues[hint], now[hint] ?? carefulValues[hint]];
    if (before === undefined || after === undefined || jsonEqual(before, after)) return [];
    // Who was told that a tool is harmless calls it without asking; a tool that becomes less harmless breaks that.
    const isBreaking = after === carefulValues[hint];
    const message = `was ${JSON.stringify(before)} and is ${JSON.stringify(after)} now`;
    return [{ kind: isBreaking ? "breaking" : "harmless", path: `/annotations/${hint}`, message }];
  });
}

function compareResults(old: ToolSnapshot, now: ToolSnapshot): readonly Change[] {
  if (old.channels === undefined || now.channels === undefined) return [];
  const { channels } = now;
  const before = old.channels;
  const gone = before.filter((channel) => !channels.includes(channel));
  const fresh = channels.filter((channel) => !before.includes(channel));
  const shapes =
    old.result === undefined || now.result === undefined ? [] : compareShapes(old.result, now.result);
  return [
    ...gone.map((channel): Change => ({
      kind: "breaking",
      path: "result",
      message: `results have no ${channel} content any more`,
    })),
    ...fresh.map((channel): Change => ({
      kind: "harmless",
      path: "result",
      message: `results have ${channel} content too`,
    })),
    ...shapes.map((change) => ({ ...change, path: `result${change.path}` })),
  ];
}
