// The server of long reports, over stdio.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { digestContract, digestServer } from "./digest-server.fixture.ts";

const contract = digestContract();
serveStdio(() => digestServer(contract));
