// Lets the conformance suite start on Node 20: it imports `globSync`, which `fs` has from Node 22 on, and which its
// server scenarios never call.
import fs from "node:fs";
import { register } from "node:module";

const shim = `
  import fs from "node:fs";
  export * from "node:fs";
  export default fs;
  export function globSync() { throw new Error("globSync needs Node 22"); }
`;

const hooks = `
  const url = "data:text/javascript," + ${JSON.stringify(encodeURIComponent(shim))};
  export function resolve(specifier, context, next) {
    const isSuite = context.parentURL?.includes("/@modelcontextprotocol/conformance/dist/");
    return isSuite && specifier === "fs" ? { url, format: "module", shortCircuit: true } : next(specifier, context);
  }
`;

if (!("globSync" in fs)) register(`data:text/javascript,${encodeURIComponent(hooks)}`);
