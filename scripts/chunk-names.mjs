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
  { door: "config", chunk: "settings" },
  { door: "server", chunk: "engine" },
];

/** The doors that reach each module by static imports alone. */
function findDoors(input, context) {
  const doorsOf = new Map();
  for (const [name, entry] of Object.entries(input)) {
    const [door] = name.split("/");
    const pending = [entry];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const doors = doorsOf.get(id) ?? new Set();
      const info = context.getModuleInfo(id);
      if (doors.has(door) || info === null || info.isExternal) continue;
      doorsOf.set(id, doors.add(door));
      pending.push(...info.importedIds);
    }
  }
  return doorsOf;
}

/** A function that names a module's chunk for rolldown; null leaves it to rolldown. */
export function chunkNames(input) {
  const entries = new Set(Object.values(input));
  let doorsOf;
  return (id, context) => {
    doorsOf ??= findDoors(input, context);
    const doors = doorsOf.get(id);
    if (doors === undefined || entries.has(id)) return null;
    if (doors.size === 1) return `${[...doors][0]}-door`;
    return layers.find(({ door }) => doors.has(door))?.chunk ?? null;
  };
}
