// A server as one function: every file beside this one only says where it is called.

import { defineTool } from "waybill/server";
import { serveFetch } from "waybill/web";
import * as z from "zod";

/** Put your own sign-in here, or the issuer of your tokens: auth: { jwt: { issuer, audience, jwks } }. */
const people = new Map([
  ["Bearer token-of-ada", { subject: "ada", scopes: ["tasks:read"] }],
  ["Bearer token-of-bo", { subject: "bo", scopes: ["tasks:read", "tasks:write"] }],
]);

const titles = ["Implement login"];

const taskList = defineTool(
  "task_list",
  { description: "All tasks", inputSchema: z.object({}), annotations: { readOnlyHint: true } },
  () => ({ titles }),
);

const taskAdd = defineTool(
  "task_add",
  { description: "A new task", inputSchema: z.object({ title: z.string() }), scopes: ["tasks:write"] },
  ({ title }) => {
    titles.push(title);
    return { titles };
  },
);

export const tasks = serveFetch({
  name: "tasks",
  version: "1.0.0",
  tools: [taskList, taskAdd],
  // For this example only: a deployment sets WAYBILL_SECRET, and then nothing is left to warn of at the start.
  logLevel: "error",
  auth: (request) => people.get(request.headers.get("authorization") ?? ""),
});
