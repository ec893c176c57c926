import { chapters } from "./chapters.ts";
import { Claims } from "./claims.ts";
import { connectWorkshop } from "./connect-workshop.ts";

const agent = await connectWorkshop();
const claims = new Claims();
try {
  for (const [title, run] of Object.entries(chapters)) {
    claims.chapter(title);
    await run(agent, claims);
  }
} finally {
  await agent.close();
}

process.stdout.write(
  claims.failed === 0 ? "\nEverything is as it should be.\n" : `\n${claims.failed} claims failed.\n`,
);
process.exitCode = claims.failed === 0 ? 0 : 1;
