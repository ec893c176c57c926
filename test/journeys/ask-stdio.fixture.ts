// The server that knows nothing of Waybill, over stdio, for the gateway to stand in front of.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { foreignServer } from "./ask-server.fixture.ts";

serveStdio(() => foreignServer());
