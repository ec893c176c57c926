// Tells the story on the standard output of Node, Bun or Deno. A Worker gives it as the answer to a request.
import { tellStory } from "./runtime-story.mjs";

console.log(JSON.stringify(await tellStory()));
process.exit(0);
