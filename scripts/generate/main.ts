import { staleFiles, writeGenerated } from "./generate.ts";

const stale = await staleFiles();
await writeGenerated();
console.log(stale.length === 0 ? "Generated files are current." : `Wrote ${stale.join(", ")}.`);
