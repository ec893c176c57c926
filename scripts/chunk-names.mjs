// Which chunk of dist/ a module goes to. A door loads few files, and no file brings along what the door loads later.
//
// Only what a door imports statically is grouped, by the doors that share it: a module belongs to the first layer that
// holds for it. A module's own imports are needed by its doors too, so a layer needs those above it and none below, and
// neither Zod nor a module of Node gets into a file of a door that does without. What every door loads later, if at
// all, is left to rolldown, which splits it by who loads it.
function isForBrowsers({ everywhen }) {
  return everywhen.has("client") || everywhen.has("index");
}

const layers = [
  { chunk: "base", holds: ({ atOnce }) => atOnce.has("client") && atOnce.has("index") },
  // Not in a file of the root entry: one `import()` in it, and esbuild keeps all that it could load.
  { chunk: "client-parts", holds: ({ atOnce }) => atOnce.has("client") },
  { chunk: "text", holds: ({ atOnce }) => atOnce.has("digest") },
  { chunk: "contract", holds: ({ atOnce }) => atOnce.has("index") },
  // What a browser may load later must not stand in a file that needs Node.
  { chunk: "portable", holds: isForBrowsers },
  { chunk: "settings", holds: ({ atOnce }) => atOnce.has("settings") },
  { chunk: "engine", holds: ({ atOnce }) => atOnce.has("server") },
  // A process may have few files open, and Node reads all files of a door at the same time.
  { chunk: "messages", holds: ({ atOnce }) => atOnce.has("gateway") && atOnce.has("result-worker") },
  { chunk: "transport", holds: ({ atOnce }) => atOnce.has("gateway") && atOnce.has("check") },
];

/** The doors that reach each module of ours by the imports that `importsOf` gives. */
function reachedBy(input, context, importsOf) {
  const doorsOf = new Map();
  for (const [name, entry] of Object.entries(input)) {
    // By its room: "doors/server/index" is the server's.
    const door = name
      .replace(/\/index$/, "")
      .split("/")
      .at(-1);
    const pending = [entry];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const doors = doorsOf.get(id) ?? new Set();
      const info = context.getModuleInfo(id);
      if (doors.has(door) || info === null || info.isExternal) continue;
      doorsOf.set(id, doors.add(door));
      pending.push(...importsOf(info));
    }
  }
  return doorsOf;
}

function nameChunk(module) {
  const [only, ...others] = module.atOnce;
  if (others.length > 0) return layers.find(({ holds }) => holds(module))?.chunk ?? null;
  if (module.everywhen.size === 1) return `${only}-door`;
  // One door needs it at once and others load it later: they must not get the rest of that door with it.
  if (!isForBrowsers(module) || isForBrowsers({ everywhen: module.atOnce })) return `${only}-parts`;
  // What only a worker needs at once, every door loads later: in a file of its own, or servers would load it with theirs.
  return only.endsWith("-worker") ? `${only}-portable` : "portable";
}

/** A function that names a module's chunk for rolldown; null leaves it to rolldown. */
export function chunkNames(input) {
  const entries = new Set(Object.values(input));
  let atOnce;
  let everywhen;
  return (id, context) => {
    atOnce ??= reachedBy(input, context, ({ importedIds }) => importedIds);
    everywhen ??= reachedBy(input, context, (info) => [...info.importedIds, ...info.dynamicallyImportedIds]);
    if (!atOnce.has(id) || entries.has(id)) return null;
    return nameChunk({ atOnce: atOnce.get(id), everywhen: everywhen.get(id) });
  };
}

/** A function that names one chunk for these modules and all that they import. */
export function namedTogether(chunk, modules) {
  let reached;
  return (id, context) => {
    reached ??= reachedBy({ ...modules }, context, ({ importedIds }) => importedIds);
    return reached.has(id) ? chunk : null;
  };
}
