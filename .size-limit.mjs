// A script, not package.json: size-limit leaves peer dependencies out, and only a function can put Zod back in.
const withZod = (config) => ({ ...config, external: [] });
const entry = (name, names, limit) => ({
  name,
  path: "dist/index.js",
  import: names,
  limit,
  modifyEsbuildConfig: withZod,
});

/**
 * What a page waits for: every module the entry imports statically, however it gets there. What it loads later with
 * `import()` (readers of other dialects, the strict validator) would be bundled in, so it is left outside.
 */
const loadedLater = {
  name: "loaded-later",
  setup: (build) =>
    build.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    ),
};
const staticOnly = (config) => ({ ...config, format: "esm", plugins: [loadedLater] });

export default [
  // 18.3 kB before builders refused unknown options with the name that was meant and calls without arguments, and copied
  // and froze what they return.
  entry("build envelopes and faults, with Zod", "{ successResponse, errorResponse, faults }", "19.45 kB"),
  // 34 kB before source code was found in errors of the scalpel dialect, in some ten languages; 35.8 kB before the notes of a
  // cut text were read from `_meta`; 35.9 kB before a text of JSON without some fields was read as that JSON.
  entry("validate and translate, with Zod", "{ validateResponse, translate }", "36 kB"),
  // 50 kB before that, and before the checks of the builders' options; 54.6 kB before lean; 54.9 kB before cursors were signed
  // without waiting where Node's hashes are there; the order in which the build puts modules changes some bytes.
  entry("everything in the root entry, with Zod", "*", "55 kB"),
  // 10 kB before a misspelt option of a call was refused, and before the retrieval tool could have another name; 10.9 kB before
  // the lines around the result of an untrusted server were looked for.
  {
    name: "everything in the client entry that is loaded at once, without Zod",
    path: "dist/doors/client/index.js",
    import: "*",
    // 11 kB is what it has, give or take the letters that the build gives to names of other files.
    limit: "11.1 kB",
    modifyEsbuildConfig: staticOnly,
  },
];
