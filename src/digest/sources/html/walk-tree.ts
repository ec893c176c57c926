import { type DomElement, type DomNode, isElement } from "./dom-node.ts";

/** Whether to go into a node, over it, or no further. */
export type Step = "into" | "over" | "stop";

/** Goes over a tree depth first, without recursion; elements that it went into are left again. */
export function walkTree(
  root: DomElement,
  enter: (node: DomNode) => Step,
  leave: (element: DomElement) => void = () => undefined,
): void {
  let node: DomNode | null = root;
  while (node !== null) {
    const step = enter(node);
    if (step === "stop") return;
    const child: DomNode | null = step === "into" ? node.firstChild : null;
    if (child !== null) {
      node = child;
      continue;
    }
    if (step === "into" && isElement(node)) leave(node);
    let next: DomNode | null = null;
    while (next === null && node !== null && node !== root) {
      next = node.nextSibling;
      if (next !== null) break;
      node = node.parentNode;
      if (node !== null && isElement(node)) leave(node);
    }
    node = next;
  }
}
