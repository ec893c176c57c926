import type { Tokenizer } from "htmlparser2";

export interface TokenHandler {
  /** Names are in lower case; of the attributes, those the reader asked for. */
  open(
    name: string,
    attributes: ReadonlyMap<string, string>,
    attributeCount: number,
    isClosed: boolean,
  ): void;
  close(name: string): void;
  text(text: string): void;
  comment(): void;
  /** A declaration such as a document type. */
  declaration(): void;
}

interface TokenOptions {
  readonly attributes: ReadonlySet<string>;
  readonly signal?: AbortSignal | undefined;
}

/** About a fiftieth of a second of work. */
const CHARACTERS_BETWEEN_PAUSES = 1_000_000;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 0));

/**
 * The tokens of a page in order. No tree and no stack of open elements, whose cost would grow with the square of the
 * depth: the time is linear for any input, and others get a turn in between.
 */
export async function readTokens(html: string, handler: TokenHandler, options: TokenOptions): Promise<void> {
  const { Tokenizer } = await import("htmlparser2");
  const { attributes: asked, signal } = options;
  let name = "";
  let attribute = "";
  let value = "";
  let count = 0;
  let attributes = new Map<string, string>();
  let nextPause = CHARACTERS_BETWEEN_PAUSES;
  const opened = (isClosed: boolean): void => {
    handler.open(name, attributes, count, isClosed);
    if (attributes.size > 0) attributes = new Map();
  };
  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => handler.text(html.slice(start, end)),
      ontextentity: (codePoint) => handler.text(String.fromCodePoint(codePoint)),
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase();
        count = 0;
        if (end < nextPause) return;
        nextPause = end + CHARACTERS_BETWEEN_PAUSES;
        tokenizer.pause();
      },
      onattribname: (start, end) => {
        count++;
        attribute = html.slice(start, end).toLowerCase();
        value = "";
      },
      onattribdata: (start, end) => {
        if (asked.has(attribute)) value += html.slice(start, end);
      },
      onattribentity: (codePoint) => {
        if (asked.has(attribute)) value += String.fromCodePoint(codePoint);
      },
      onattribend: () => {
        if (asked.has(attribute) && !attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: () => opened(false),
      onselfclosingtag: () => opened(true),
      onclosetag: (start, end) => handler.close(html.slice(start, end).toLowerCase()),
      ondeclaration: () => handler.declaration(),
      oncdata: () => handler.comment(),
      oncomment: () => handler.comment(),
      onprocessinginstruction: () => undefined,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  while (!tokenizer.running) {
    await nextTurn();
    signal?.throwIfAborted();
    tokenizer.resume();
  }
  tokenizer.end();
}
