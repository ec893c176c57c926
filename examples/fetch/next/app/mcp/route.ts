// A route handler of Next.js, at /mcp.

import { tasks } from "../../../tasks.ts";

export { tasks as GET, tasks as POST, tasks as DELETE, tasks as OPTIONS };
