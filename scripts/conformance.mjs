// `npm run conformance` and `npm run conformance:gateway` need no build: the servers and what drives the suite run from
// their sources.
import { register } from "tsx/esm/api";

register();
await import(process.argv[2] === "gateway" ? "./conformance-gateway-run.ts" : "./conformance-run.ts");
