import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { stdioTransport } from "waybill/server";
import { createWorkshop } from "./server.ts";

// Both eras: the client's first message decides. Standard output is the protocol's own; logs go to stderr.
const workshop = await createWorkshop();
// With our own transport a broken line gets its JSON-RPC error, as source 003 has it.
serveStdio(workshop.build, { transport: stdioTransport() });

// A watched configuration would keep the process alive after its client has gone.
process.stdin.once("end", () => void workshop.close());
