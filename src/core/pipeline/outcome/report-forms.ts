// Where the message is in a report that does not begin with it: a traceback ends with it, a page has it as a title.
// Everything here looks at the ends of a text only, so that the length of a text does not matter.

const EDGE_LENGTH = 4_000;

const tracebackStart = /^\s*(?:[^\n]{0,120}\n)?Traceback \(most recent call last\):/;
/** The last line of a traceback: a class, and mostly a message. */
const raised =
  /^(?:[A-Za-z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Exit|Warning|Timeout)(?:: |$)/;

/** Python writes the frames first and the error last. */
function endOfTraceback(text: string): string | undefined {
  if (!tracebackStart.test(text.slice(0, 400))) return undefined;
  const lines = text.slice(-EDGE_LENGTH).split("\n");
  const at = lines.findLastIndex((line) => line.length <= 400 && raised.test(line));
  return at < 0 ? undefined : lines.slice(at).join("\n");
}

/** Node writes the place and the source line first, then a caret, then the error and its frames. */
function afterCaret(text: string): string | undefined {
  const [, message] =
    /^[^\n]{1,300}:\d{1,7}\n[^\n]{0,400}\n\s{0,400}\^{1,200}\n\n([^\n]{1,400})/.exec(
      text.slice(0, EDGE_LENGTH),
    ) ?? [];
  return message;
}

const pageStart = /^\s*(?:<\?xml[^>\n]{0,100}>\s*)?<(?:!doctype html|html)\b/i;

/** An HTTP server's page says what happened in its title, else in its first heading. */
function titleOf(text: string): string | undefined {
  if (!pageStart.test(text.slice(0, 400))) return undefined;
  const head = text.slice(0, EDGE_LENGTH);
  const [, title] = /<title>\s{0,40}([^<\n]{1,200})/i.exec(head) ?? [];
  const [, heading] = /<h1>\s{0,40}([^<\n]{1,200})/i.exec(head) ?? [];
  return (title ?? heading)?.trim();
}

/** The part of a failure's text that says why; the text itself if it is in none of these forms. */
export function messagePart(text: string): string {
  return endOfTraceback(text) ?? afterCaret(text) ?? titleOf(text) ?? text;
}
