// Tells the story on the standard output of Node, Bun or Deno. A Worker gives it as the answer to a request.
import { tellStory } from "./runtime-story.mjs";

process.stdout.write(`${JSON.stringify(await tellStory())}\n`, () => process.exit(0));
