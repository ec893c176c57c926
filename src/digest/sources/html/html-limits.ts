/** More is refused: a digest of so much text would help nobody, and the text has to be held twice. */
export const MAX_HTML_CHARACTERS = 64 * 1024 * 1024;

/** Above these, no document tree is built: the visible text is read in one pass, and a warning says so. */
export const MAX_TREE_CHARACTERS = 4 * 1024 * 1024;
/** Elements, comments and pieces of text; the parser behind the tree begins one at every ampersand. */
export const MAX_TREE_NODES = 50_000;
/** The depths of all elements together. */
export const MAX_TREE_WEIGHT = 1_000_000;
/** The parser behind the tree finds an attribute by walking over all of its element. */
export const MAX_ATTRIBUTES_OF_ONE_ELEMENT = 256;
/** Of the class attribute of one element; real ones stay under 2,000. More is refused. */
export const MAX_CLASS_CHARACTERS = 64 * 1024;
/** What `maxDepth` is unless told; the extractor's time grows with it, and real pages stay under 50. */
export const DEFAULT_MAX_DEPTH = 200;
