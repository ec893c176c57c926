// The fixture server of the conformance suite on stdin and stdout, for a gateway that serves it over HTTP.

import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer } from "./build-server.ts";

serveStdio(() => buildServer("plain", () => undefined));
