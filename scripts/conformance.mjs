// `npm run conformance` needs no build: the fixture server and what drives the suite run from their sources.
import { register } from "tsx/esm/api";

register();
await import("./conformance-run.ts");
