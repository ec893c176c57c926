// A route of Hono.

import { Hono } from "hono";
import { tasks } from "./tasks.ts";

export const app = new Hono();
app.get("/", (context) => context.text("Tasks are at /mcp."));
app.all("/mcp", (context) => tasks(context.req.raw));
