import { parseAst } from "vite";
import { childrenOf, isNode, type Node } from "./syntax-tree.ts";

interface Insertion {
  readonly at: number;
  readonly text: string;
}

const functionTypes = new Set(["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"]);

function textOf(node: unknown, source: string): string | undefined {
  return isNode(node) ? source.slice(node.start, node.end) : undefined;
}

/** The name a function is written with: its own, or that of what it is assigned to. */
function writtenName(node: Node, parent: Node, source: string): string | undefined {
  if (isNode(node["id"])) return textOf(node["id"], source);
  if (parent["value"] === node && isNode(parent["key"])) {
    const prefix = parent["kind"] === "get" || parent["kind"] === "set" ? `${parent["kind"]} ` : "";
    return `${prefix}${textOf(parent["key"], source)}`;
  }
  if (parent.type === "VariableDeclarator" && parent["init"] === node) return textOf(parent["id"], source);
  if (parent.type === "AssignmentExpression" && parent["right"] === node) {
    return textOf(parent["left"], source);
  }
  return undefined;
}

/** The same source, in which every function reports its file, name and place on the way in. */
export function addProbes(source: string, file: string, reporter: string): string {
  const insertions: Insertion[] = [];
  const visit = (node: Node, parent: Node, around: string): void => {
    let inside = around;
    // Overloads and abstract methods have no body.
    if (functionTypes.has(node.type) && isNode(node["body"])) {
      const own = writtenName(node, parent, source);
      inside = own ?? around;
      const facts = [file, own ?? `(inside ${around})`, node.start].map((fact) => JSON.stringify(fact));
      const { type, start, end } = node["body"];
      const probe = `${reporter}?.(${facts.join(",")})`;
      if (type === "BlockStatement") insertions.push({ at: start + 1, text: `${probe};` });
      else insertions.push({ at: start, text: `(${probe},(` }, { at: end, text: "))" });
    }
    for (const child of childrenOf(node)) visit(child, node, inside);
  };
  const program = parseAst(source, { lang: "ts" }) as unknown as Node;
  visit(program, program, "the module");
  // From the last to the first, so that places stay right; of two at one place the outer one was found first.
  let text = source;
  for (const { at, text: added } of insertions.toSorted((a, b) => b.at - a.at)) {
    text = text.slice(0, at) + added + text.slice(at);
  }
  return text;
}
