// A process that puts entries for as long as it lives, and announces each hash on stdout once its put resolved.
// Arguments: the directory, a seed, and how many entries to put (all it can when left out).
import { writeSync } from "node:fs";
import { fileStore } from "../../src/engine/archive/file/file-store.ts";
import { storyOf } from "./story.fixture.ts";

const [directory = "", seed = "0", count = "Infinity"] = process.argv.slice(2);
const store = fileStore(directory, { maxBytes: 4 * 1024 ** 3 });

const announce = (line: string): void => {
  writeSync(1, `${line}\n`);
};

announce(`ready ${await store.secret("cursor")}`);
for (let number = 0; number < Number(count); number++) {
  const { entry } = await store.put("local", storyOf(`${seed}-${number}`));
  announce(entry.hash);
}
await store.close();
