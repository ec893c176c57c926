/** What is used of a document tree; the types of browsers are not among ours. */
export interface DomNode {
  readonly nodeType: number;
  readonly parentNode: DomElement | null;
  readonly firstChild: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly nextSibling: DomNode | null;
}

interface DomText extends DomNode {
  readonly data: string;
}

export interface DomElement extends DomNode {
  readonly localName: string;
  getAttribute(name: string): string | null;
  remove(): void;
  replaceWith(node: DomNode): void;
}

export interface DomDocument {
  readonly documentElement: DomElement;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}

export function isText(node: DomNode): node is DomText {
  return node.nodeType === 3;
}

/** True for text that is more than white space. */
export function isWords(node: DomNode | null): boolean {
  return node !== null && isText(node) && node.data.trim() !== "";
}

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
