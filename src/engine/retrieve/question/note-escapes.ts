import { type ExpressionNode, partsOf } from "./expression-node.ts";

/** Functions of plain texts; a pattern of matches() knows escapes itself. */
const PLAIN: ReadonlySet<string> = new Set([
  "contains",
  "ends_with",
  "find_first",
  "find_last",
  "join",
  "replace",
  "split",
  "starts_with",
]);

/** JMESPath has no escapes between single quotes: `'\n'` is a backslash and an n, and hardly ever meant. */
export function noteEscapes(node: ExpressionNode): string | undefined {
  const pending = [node];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    pending.push(...partsOf(part));
    if (part.type !== "Function" || !PLAIN.has(part.name)) continue;
    for (const argument of part.children) {
      const text = argument.type === "Literal" ? argument.value : undefined;
      const [escape] = typeof text === "string" ? (/\\[nrt]/.exec(text) ?? []) : [];
      if (escape !== undefined)
        return `In the expression, '${escape}' is a backslash and a letter: write \`"${escape}"\` for the one character.`;
    }
  }
  return undefined;
}
