import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createWorkshop } from "./server.ts";

// Both eras: the client's first message decides. Standard output is the protocol's own; logs go to stderr.
const workshop = await createWorkshop();
serveStdio(workshop.build);

// A watched configuration would keep the process alive after its client has gone.
process.stdin.once("end", () => void workshop.close());
