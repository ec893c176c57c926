// For Bun (`bun server.ts`), Deno (`deno serve server.ts`) and Cloudflare Workers (`wrangler deploy`).

import { tasks } from "./tasks.ts";

// oxlint-disable-next-line import/no-default-export -- these runtimes look for it
export default { fetch: tasks };
