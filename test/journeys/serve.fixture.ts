import { defineTool, serve } from "../../src/doors/server/index.ts";

/** Says on stderr that it has begun, so that a test can stop the server in the middle of a call. */
const slow = defineTool("slow", { description: "Answers after a moment" }, async () => {
  process.stderr.write("begun\n");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  return { done: true };
});

const stuck = defineTool("stuck", { description: "Never answers" }, () => {
  process.stderr.write("begun\n");
  return new Promise<never>(() => undefined);
});

const ping = defineTool("ping", { description: "Answers" }, () => ({ pong: true }));

const chatty = defineTool("chatty", { description: "Prints" }, () => {
  globalThis.console.log("found it");
  return { chatted: true };
});

const loses = defineTool("loses", { description: "Forgets a promise" }, () => {
  void Promise.reject(new Error("lost with api_key=sk-proj-abcdefghijklmnopqrstuvwx0123456789"));
  return {};
});

await serve({ name: "journey", version: "1.0.0", tools: [ping, slow, stuck, chatty, loses] });
