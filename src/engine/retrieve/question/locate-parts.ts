import type { tokenize } from "@jmespath-community/jmespath";
import { type ExpressionNode, partsOf } from "./expression-node.ts";

type Token = ReturnType<typeof tokenize>[number];

/** Where a part of an expression begins, by its first own token; parts without a token have no place. */
export type Places = ReadonlyMap<ExpressionNode, number>;

const COMPARATORS = new Set(["EQ", "NE", "GT", "GTE", "LT", "LTE"]);
const OPERATORS = new Set(["Plus", "Minus", "Multiply", "Star", "Divide", "Modulo", "Div"]);

/**
 * The parser keeps no places. The tree has its parts in the order of the text, so walking the tree and the
 * tokens together finds them.
 */
export function locateParts(node: ExpressionNode, tokens: readonly Token[]): Places {
  const places = new Map<ExpressionNode, number>();
  let next = 0;
  const find = (matches: (token: Token, index: number) => boolean): number | undefined => {
    for (let index = next; index < tokens.length; index++) {
      const token = tokens[index];
      if (token === undefined || !matches(token, index)) continue;
      next = index + 1;
      return token.start;
    }
    return undefined;
  };
  const ofType = (types: ReadonlySet<string>): number | undefined => find(({ type }) => types.has(type));
  const named = (name: string, isCall: boolean): number | undefined =>
    find(
      ({ type, value }, index) =>
        ["UnquotedIdentifier", "QuotedIdentifier"].includes(type) &&
        value === name &&
        ((tokens[index + 1]?.type as string | undefined) === "Lparen") === isCall,
    );
  const put = (part: ExpressionNode, place: number | undefined): void => {
    if (place !== undefined) places.set(part, place);
  };
  const visit = (part: ExpressionNode): void => {
    if (part.type === "Field") put(part, named(part.name, false));
    if (part.type === "Function") put(part, named(part.name, true));
    if (part.type === "Variable")
      put(
        part,
        find(({ type, value }) => (type as string) === "Variable" && value === part.name),
      );
    if (part.type === "ExpressionReference") put(part, ofType(new Set(["Expref"])));
    if (part.type === "Binding") put(part, ofType(new Set(["Assign"])));
    if (part.type === "Slice") put(part, ofType(new Set(["Lbracket"])));
    if (part.type === "Literal") put(part, ofType(new Set(["Literal"])));
    if (part.type === "MultiSelectHash") {
      for (const { name, value } of part.children) {
        named(name, false);
        visit(value);
      }
      return;
    }
    if (part.type === "Comparator" || part.type === "Arithmetic") {
      visit(part.left);
      put(part, ofType(part.type === "Comparator" ? COMPARATORS : OPERATORS));
      visit(part.right);
      return;
    }
    for (const inner of partsOf(part)) visit(inner);
  };
  visit(node);
  return places;
}

/** Where a part begins that may have no token of its own: at the first of its sub-parts. */
export function beginningOf(node: ExpressionNode, places: Places): number | undefined {
  const inner = partsOf(node).map((part) => beginningOf(part, places));
  const known = [places.get(node), ...inner].filter((place) => place !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
