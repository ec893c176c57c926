// A script, not package.json: size-limit leaves peer dependencies out, and only a function can put Zod back in.
const withZod = (config) => ({ ...config, external: [] });
const entry = (name, names, limit) => ({
  name,
  path: "dist/index.js",
  import: names,
  limit,
  modifyEsbuildConfig: withZod,
});

export default [
  entry("build envelopes and faults, with Zod", "{ successResponse, errorResponse, faults }", "18 kB"),
  entry("validate and translate, with Zod", "{ validateResponse, translate }", "34 kB"),
  entry("everything in the root entry, with Zod", "*", "46 kB"),
];
