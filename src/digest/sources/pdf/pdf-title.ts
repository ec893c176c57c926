/** Longer than this is a text, not a title. */
const MAX_TITLE_CHARS = 300;
const programPrefix = /^(?:Microsoft (?:Word|PowerPoint|Excel)|PowerPoint Presentation|Word) ?- ?/i;
const noTitle =
  /^(?:untitled|title|document\d*|no title|.*\.(?:docx?|pptx?|xlsx?|odt|rtf|txt|tex|dvi|indd|pages|pdf|qxd|ps))$/i;

/** The title that a PDF's own data gives, unless a program put it there instead of a person. */
export function pdfTitle(given: unknown): string | undefined {
  if (typeof given !== "string") return undefined;
  const title = given
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(programPrefix, "")
    .trim();
  return title === "" || title.length > MAX_TITLE_CHARS || noTitle.test(title) ? undefined : title;
}
