import { type DomElement, type DomNode, isElement, isText } from "./dom-node.ts";
import { isHidden, layoutOf } from "./element-layout.ts";
import type { TextBlock } from "./text-block.ts";
import { TextWriter } from "./text-writer.ts";
import { type Step, walkTree } from "./walk-tree.ts";

/** The text of an element and all that is seen in it, laid out, without the elements that are left out by name. */
export function elementBlocks(
  root: DomElement,
  leftOut: ReadonlySet<string> = new Set(),
): readonly TextBlock[] {
  const writer = new TextWriter();
  const enter = (node: DomNode): Step => {
    if (isText(node)) writer.text(node.data);
    if (!isElement(node)) return "over";
    const layout = layoutOf(node.localName);
    if (layout === "skipped" || leftOut.has(node.localName)) return "over";
    if (isHidden(node.getAttribute("hidden"), node.getAttribute("style"))) return "over";
    if (layout !== undefined) writer.lay(layout, true);
    return "into";
  };
  const leave = (element: DomElement): void => {
    const layout = layoutOf(element.localName);
    if (layout !== undefined) writer.lay(layout, false);
  };
  walkTree(root, enter, leave);
  return writer.blocks();
}
