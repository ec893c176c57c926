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
  // What a browser may load later must not be in a file that needs Node.
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

/**
 * Where a chunk's part goes that the command needs before anything else: into few files, so that it loads no door to
 * read its line. What runs anywhere and what needs Node stay apart. Chunks that are not named here are small.
 */
const earlyParts = new Map([
  ["text", "early-contract"],
  ["contract", "early-contract"],
  ["digest-parts", "early-contract"],
  ["settings", "early-engine"],
  ["engine", "early-engine"],
  ["check-parts", "early-engine"],
  ["messages", "transport"],
  ["gateway-door", "transport"],
]);

/**
 * A function that names a module's chunk for rolldown; null leaves it to rolldown. `doors` and `commands` are entries,
 * `first` the modules with which a command starts.
 */
export function chunkNames(doors, commands, first) {
  const entries = new Set([...Object.values(doors), ...Object.values(commands)]);
  let atOnce;
  let everywhen;
  let begun;
  let early;
  return (id, context) => {
    const statics = ({ importedIds }) => importedIds;
    atOnce ??= reachedBy(doors, context, statics);
    everywhen ??= reachedBy(doors, context, (info) => [...info.importedIds, ...info.dynamicallyImportedIds]);
    begun ??= reachedBy(commands, context, statics);
    early ??= reachedBy({ ...first }, context, statics);
    if (entries.has(id)) return null;
    // Not in the entry itself: to import it from there would run the command.
    if (!atOnce.has(id)) return begun.has(id) ? "main-parts" : null;
    const chunk = nameChunk({ atOnce: atOnce.get(id), everywhen: everywhen.get(id) });
    return early.has(id) ? (earlyParts.get(chunk) ?? chunk) : chunk;
  };
}
