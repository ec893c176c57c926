// The server that knows nothing of Waybill, over stdio, for a gateway in front of it.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { foreignServer } from "./ask-server.fixture.ts";

serveStdio(() => foreignServer());
