import { wrapData } from "../../contract/envelope.ts";
import type { Outcome } from "../../contract/outcome.ts";
import type { JsonObject, JsonValue } from "../../json/json-value.ts";
import type { Loss } from "./dialect.ts";

type Tree = Record<string, unknown>;

function change(tree: Tree, [key = "", ...rest]: readonly string[], becomes: Loss["becomes"]): Tree {
  if (!Object.hasOwn(tree, key)) return tree;
  if (rest.length > 0) {
    const inner = change((tree[key] ?? {}) as Tree, rest, becomes);
    // The author's own keys are absent when none is left; notes are always there.
    if (key === "extra" && Object.keys(inner).length === 0) return change(tree, [key], "dropped");
    return { ...tree, [key]: inner };
  }
  if (becomes === "wrapped") return { ...tree, [key]: wrapData(tree[key] as JsonValue) };
  if (becomes !== "dropped") return { ...tree, [key]: becomes.value };
  const { [key]: _, ...kept } = tree;
  return kept;
}

/** What is left of an outcome after a dialect with these losses carried it. */
export function forget(outcome: Outcome, losses: readonly Loss[]): Outcome {
  const tree = losses
    .filter(({ on }) => on !== "failure" || !outcome.ok)
    .reduce<Tree>(
      (left, loss) => change(left, loss.path.split("/").slice(1), loss.becomes),
      outcome as unknown as Tree,
    );
  return { notes: {}, ...tree } as unknown as Outcome & JsonObject;
}
