import { readFile } from "node:fs/promises";
import { rooms } from "../house/rooms.ts";
import { totalsOf, type Walk } from "../walk/show-walk.ts";
import { fillPlace } from "./fill-place.ts";
import type { GeneratedFile } from "./generated-file.ts";

const path = "docs/lifecycle.md";
const root = new URL("../../", import.meta.url);

function roomOf(file: string): string {
  const inside = file.replace(/^src\//, "");
  return Object.keys(rooms).find((room) => inside === room || inside.startsWith(`${room}/`)) ?? inside;
}

/** The rooms that a walk enters, in order of first entry: a bar for the functions that run in each. */
function drawWalk(walk: Walk): string {
  const passed = new Map<string, { files: number; functions: number }>();
  for (const { file, functions } of walk.files) {
    const room = roomOf(file);
    const known = passed.get(room) ?? { files: 0, functions: 0 };
    passed.set(room, { files: known.files + 1, functions: known.functions + functions.length });
  }
  const { files, functions } = totalsOf(walk);
  const width = Math.max(...Array.from(passed.keys(), (room) => room.length));
  const lines = Array.from(passed, ([room, { files: own, functions: run }]) => {
    const counted = `${own} ${own === 1 ? "file" : "files"}`;
    return `  ${room.padEnd(width)}  ${counted.padEnd(8)}  ${"█".repeat(Math.ceil(run / 4))} ${run}`;
  });
  return [`${walk.journey}: ${walk.says}`, ...lines, `${files} files, ${functions} functions`].join("\n");
}

/** The page about a result's life, with the rooms of a call as they are now; the rest is written by hand. */
export async function lifecyclePage(walks: readonly Walk[]): Promise<GeneratedFile> {
  const page = await readFile(new URL(path, root), "utf8");
  const call = walks.find(({ journey }) => journey === "call");
  if (call === undefined) throw new Error("There is no walk of a call.");
  const block = ["```", drawWalk(call), "```"].join("\n");
  return { path, text: fillPlace(path, page, "walk", block) };
}
