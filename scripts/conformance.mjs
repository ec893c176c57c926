// `npm run conformance` and `npm run conformance:gateway` need no build: the servers and what drives the suite run from
// their sources.
import { register } from "tsx/esm/api";

register();
if (process.argv[2] === "gateway") await import("./conformance-gateway-run.ts");
else await import("./conformance-run.ts");
