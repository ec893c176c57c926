import { writeGenerated } from "./generate.ts";

const written = await writeGenerated();
console.log(written.length === 0 ? "Generated files are current." : `Wrote ${written.join(", ")}.`);
