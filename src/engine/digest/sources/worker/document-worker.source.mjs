// The worker of the source tree, as tests start it: a thread needs a loader of TypeScript of its own. Not in the package.
import { register } from "tsx/esm/api";

register();
await import("./document-worker.ts");
