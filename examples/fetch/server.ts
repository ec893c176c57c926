// For Bun (`bun server.ts`), Deno (`deno serve server.ts`) and Cloudflare Workers (`wrangler deploy`).

import { tasks } from "./tasks.ts";

// These runtimes look for a default export.
export default { fetch: tasks };
