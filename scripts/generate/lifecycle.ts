import { readFile } from "node:fs/promises";
import { showWalk, type Walk } from "../walk/show-walk.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

const path = "docs/lifecycle.md";
const root = new URL("../../", import.meta.url);

/** The page about a result's life, with the walk of a call as it is now; the rest is written by hand. */
export async function lifecyclePage(walks: readonly Walk[]): Promise<GeneratedFile> {
  const page = await readFile(new URL(path, root), "utf8");
  const call = walks.find(({ journey }) => journey === "call");
  if (call === undefined) throw new Error("There is no walk of a call.");
  const block = ["```", showWalk(call), "```"].join("\n");
  return { path, text: fillPlace(path, page, "walk", block) };
}
