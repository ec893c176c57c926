// Which chunk of dist/ a module goes to. A door loads few files, and no file brings along what the door loads later.
//
// Only what a door imports statically is grouped, by the doors that share it: a module belongs to the first layer whose
// door needs it. A module's own imports are needed by its doors too, so a layer needs those above it and none below,
// and neither Zod nor a module of Node gets into a file of a door that does without. What is loaded later is left to
// rolldown, which splits it by who loads it.
const layers = [
  { door: "client", chunk: "base" },
  { door: "digest", chunk: "text" },
  { door: "index", chunk: "contract" },
  // What a browser may load later must not stand in a file that needs Node.
  { door: "browser", chunk: "portable" },
  { door: "config", chunk: "settings" },
  { door: "server", chunk: "engine" },
];
const browserDoors = ["client", "index"];

/** Calls `visit` for each module of ours that an entry reaches. */
function walk(entry, importsOf, visit) {
  const seen = new Set();
  const pending = [entry];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const imports = seen.has(id) ? undefined : importsOf(id);
    seen.add(id);
    if (imports === undefined) continue;
    visit(id);
    pending.push(...imports);
  }
}

/** The doors that reach each module by static imports alone; "browser" where one for browsers reaches it at any time. */
function findDoors(input, context) {
  const doorsOf = new Map();
  const importsOf = (isLaterToo) => (id) => {
    const info = context.getModuleInfo(id);
    if (info === null || info.isExternal) return undefined;
    return isLaterToo ? [...info.importedIds, ...info.dynamicallyImportedIds] : info.importedIds;
  };
  const note = (door) => (id) => doorsOf.set(id, (doorsOf.get(id) ?? new Set()).add(door));
  for (const [name, entry] of Object.entries(input)) walk(entry, importsOf(false), note(name.split("/")[0]));
  for (const door of browserDoors) {
    const entry = input[door] ?? input[`${door}/index`];
    walk(entry, importsOf(true), (id) => doorsOf.has(id) && note("browser")(id));
  }
  return doorsOf;
}

/** A function that names a module's chunk for rolldown; null leaves it to rolldown. */
export function chunkNames(input) {
  const entries = new Set(Object.values(input));
  let doorsOf;
  return (id, context) => {
    doorsOf ??= findDoors(input, context);
    const doors = [...(doorsOf.get(id) ?? [])];
    if (doors.length === 0 || entries.has(id)) return null;
    const [only, another] = doors.filter((door) => door !== "browser");
    if (another === undefined && (browserDoors.includes(only) || !doors.includes("browser")))
      return `${only}-door`;
    return layers.find(({ door }) => doors.includes(door))?.chunk ?? null;
  };
}
