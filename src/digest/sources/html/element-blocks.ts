import { type DomElement, type DomNode, isElement, isText } from "./dom-node.ts";
import { layoutOf } from "./element-layout.ts";
import type { TextBlock } from "./text-block.ts";
import { TextWriter } from "./text-writer.ts";
import { type Step, walkTree } from "./walk-tree.ts";

/** The text of an element and all that stands in it, laid out. */
export function elementBlocks(root: DomElement): readonly TextBlock[] {
  const writer = new TextWriter();
  const enter = (node: DomNode): Step => {
    if (isText(node)) writer.text(node.data);
    if (!isElement(node)) return "over";
    const layout = layoutOf(node.localName);
    if (layout === "skipped") return "over";
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
