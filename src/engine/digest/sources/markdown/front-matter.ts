/** A title is near the beginning. */
const HEAD_CHARS = 20_000;
const MAX_TITLE_CHARS = 300;

const frontMatter = /^\uFEFF?(---|\+\+\+)[ \t]*\r?\n([^]*?)\r?\n\1[ \t]*(?:\r?\n|$)/;
/** The first line must name a field: a rule, text and another rule are not front matter. */
const isFields = /^(?:\s*$|\s*#|[\w"'.-]+[ \t]*[:=])/;
const titleField = /^title[ \t]*[:=][ \t]*(.+)$/m;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/;
const underline = /^ {0,3}(?:=+|-{2,})[ \t]*$/;

/** A Markdown text without its front matter, which is only for tools. */
export function withoutFrontMatter(markdown: string): string {
  const front = frontMatter.exec(markdown);
  return front !== null && isFields.test(front[2] ?? "") ? markdown.slice(front[0].length) : markdown;
}

/** The title of a Markdown text: its front matter's, or its first heading. */
export function markdownTitle(markdown: string): string | undefined {
  const head = markdown.slice(0, HEAD_CHARS);
  const front = frontMatter.exec(head);
  const field = titleField.exec(front?.[2] ?? "")?.[1];
  return tidy(unquoted(field ?? "")) ?? tidy(firstHeading(head.slice(front?.[0].length ?? 0)));
}

function firstHeading(text: string): string {
  let open: string | undefined;
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      if (open === undefined) open = mark;
      else if (mark.startsWith(open)) open = undefined;
      before = "";
      continue;
    }
    if (open !== undefined) continue;
    const found = heading.exec(line)?.[1];
    if (found !== undefined) return found;
    if (before.trim() !== "" && underline.test(line)) return before;
    before = line;
  }
  return "";
}

function unquoted(value: string): string {
  const text = value.trim();
  const quoted = /^(["'])(.*)\1$/.exec(text);
  return quoted?.[2] ?? text;
}

/** The title without marks of emphasis, code and links; undefined if the rest does not have the length of a title. */
function tidy(text: string): string | undefined {
  const plain = text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[*`]+|(?<!\w)_+|_+(?!\w)/g, "")
    .trim();
  return plain === "" || plain.length > MAX_TITLE_CHARS ? undefined : plain;
}
