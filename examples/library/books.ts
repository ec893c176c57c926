// The books: a tool that looks for them, a resource for the catalogue, one for each book, and a prompt.

import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  completable,
} from "@modelcontextprotocol/server";
import { defineTool } from "waybill/server";
import * as z from "zod";

export interface Book {
  readonly id: string;
  readonly title: string;
  readonly year: number;
  readonly text: string;
}

export const books: readonly Book[] = [
  { id: "rivers", title: "Rivers of the north", year: 1962, text: "The longest of them is 112 km long." },
  { id: "roads", title: "Roads and bridges", year: 1987, text: "A bridge is as strong as its weakest pier." },
  { id: "salt", title: "A history of salt", year: 2004, text: "Salt was money before there was money." },
];

export const bookFind = defineTool(
  "book_find",
  {
    description: "Finds books by a word of their title or text",
    inputSchema: z.object({ word: z.string().min(1).describe("A word, such as bridge") }),
    annotations: { readOnlyHint: true },
  },
  async ({ word }, ctx) => {
    const wanted = word.toLowerCase();
    const found = books.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(wanted));
    await ctx.log("info", { word, found: found.length }, "search");
    return { books: found.map(({ id, title }) => ({ id, title, uri: `library://book/${id}` })) };
  },
);

function idsLike(start = ""): string[] {
  return books.map(({ id }) => id).filter((id) => id.startsWith(start));
}

/** Called for each server object: it only says what there is, and reads nothing. */
export function registerBooks(server: McpServer): void {
  server.registerResource(
    "catalogue",
    "library://catalogue",
    { title: "Catalogue", description: "All books, without their texts", mimeType: "application/json" },
    ({ href: uri }) => ({
      contents: [
        {
          uri,
          mimeType: "application/json",
          text: JSON.stringify(books.map(({ id, title, year }) => ({ id, title, year }))),
        },
      ],
    }),
  );
  server.registerResource(
    "book",
    new ResourceTemplate("library://book/{id}", {
      list: () => ({
        resources: books.map(({ id, title }) => ({ uri: `library://book/${id}`, name: title })),
      }),
      complete: { id: idsLike },
    }),
    { title: "A book", description: "The text of one book", mimeType: "text/plain" },
    ({ href: uri }, { id }) => {
      const book = books.find((each) => each.id === id);
      if (book === undefined) throw new ResourceNotFoundError(uri);
      return { contents: [{ uri, mimeType: "text/plain", text: book.text }] };
    },
  );
  server.registerPrompt(
    "book_talk",
    {
      title: "Talk about a book",
      description: "Begins a talk about one book",
      argsSchema: z.object({ id: completable(z.string().describe("The id of the book"), idsLike) }),
    },
    ({ id }) => ({
      messages: [
        {
          role: "user",
          content: { type: "text", text: `Read library://book/${id}, then ask me what I think of it.` },
        },
      ],
    }),
  );
}
