import type { compile } from "@jmespath-community/jmespath";

type Parsed = ReturnType<typeof compile>;

/** The parser's type has one member for several types of nodes; here each has its own, so that `type` identifies it. */
type Split<Node> = Node extends { readonly type: infer Type }
  ? Type extends string
    ? Omit<Node, "type"> & { readonly type: Type }
    : never
  : never;

/** A parsed expression, or a part of one. */
export type ExpressionNode = Split<Parsed>;
export type NodeOf<Type extends ExpressionNode["type"]> = Extract<ExpressionNode, { readonly type: Type }>;

/** The parts of a node in the order in which they are written. */
export function partsOf(node: ExpressionNode): readonly ExpressionNode[] {
  if (node.type === "FilterProjection") return [node.left, node.condition, node.right];
  if (node.type === "Ternary") return [node.condition, node.trueExpr, node.falseExpr];
  if (node.type === "MultiSelectHash") return node.children.map(({ value }) => value);
  // The parser accepts anything between `let` and `in`; checkParts refuses what does not set a variable.
  if (node.type === "LetExpression")
    return [...node.bindings.map((binding) => binding.reference ?? binding), node.expression];
  if (node.type === "Binding") return [node.reference];
  if (node.type === "Unary") return [node.operand];
  if ("children" in node) return node.children;
  if ("child" in node) return [node.child];
  return "left" in node ? [node.left, node.right] : [];
}

/** A change to an expression that may correct it. */
interface Edit {
  readonly at: number;
  /** How many characters; "quote" means the whole quoted text that begins there. */
  readonly remove: number | "quote";
  readonly insert: string;
}

/** A mistake in an expression, found before it is evaluated. */
export class Mistake extends Error {
  override readonly name = "Mistake";
  /** Where in the expression, in characters from 0; undefined if no single place is wrong. */
  readonly position: number | undefined;
  readonly edit: Edit | undefined;

  constructor(message: string, position?: number, edit?: Edit) {
    super(message);
    this.position = position;
    this.edit = edit;
  }
}

export function applyEdit(expression: string, { at, remove, insert }: Edit): string {
  const end = remove === "quote" ? endOfQuote(expression, at) + 1 : at + remove;
  return expression.slice(0, at) + insert + expression.slice(Math.max(at, end));
}

/** Where the quote that begins at a place ends; -1 if it never does. */
export function endOfQuote(expression: string, start: number): number {
  const quote = expression.charAt(start);
  for (let index = start + 1; index < expression.length; index++) {
    const character = expression.charAt(index);
    if (character === quote) return index;
    if (character === "\\" && ["\\", quote].includes(expression.charAt(index + 1))) index++;
  }
  return -1;
}
