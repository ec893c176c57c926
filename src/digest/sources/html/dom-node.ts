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
