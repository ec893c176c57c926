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
