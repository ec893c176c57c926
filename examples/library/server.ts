// A server with every primitive of the protocol, by one call of `serve`: over stdio, and with --http over HTTP.

import { serve } from "waybill/server";
import { bookFind, registerBooks } from "./books.ts";
import { readSearches } from "./searches.ts";

/** A shelf with three books. */
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 2h3v12H2zM6 2h3v12H6zM11 2l3 1-2 11-3-1z"/></svg>';

const tools = async () => [bookFind, ...(await readSearches())];

await serve({
  name: "library",
  version: "1.0.0",
  title: "The library",
  instructions: "Books by their ids. book_find looks for words; a book is the resource library://book/ID.",
  icons: [
    {
      src: `data:image/svg+xml;base64,${Buffer.from(picture).toString("base64")}`,
      mimeType: "image/svg+xml",
      sizes: ["any"],
    },
  ],
  websiteUrl: "https://library.example/",
  tools: await tools(),
  register: registerBooks,
  logging: true,
  metrics: true,
  reload: tools,
});
