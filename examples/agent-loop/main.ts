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

claims.close();
