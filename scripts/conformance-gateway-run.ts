// Runs the official conformance suite against the gateway: the fixture server of test/conformance over HTTP behind it, and
// the same server as a command. Both have to give what the fixture server gives alone.

import { runConformance } from "./conformance-suite.ts";

const gateway = "test/conformance/serve-gateway.ts";

// They look at streams of servers that stream every answer. In front of a command the gateway answers with JSON where it
// can, which every revision allows; the suite then says that the checks do not apply.
const onlyForStreams = ["server-sse-multiple-streams", "server-sse-polling"];

// The suite calls them by their own names, which the server beside it has too: at one address each then has the name of
// its server before its own, and the bare name is refused with both.
const ofTwoServers = ["tools-call-simple-text", "prompts-get-simple"];

await runConformance(
  [
    { name: "plain", script: "test/conformance/serve.ts", args: ["plain"] },
    { name: "gateway-url", script: gateway, args: ["url"] },
    { name: "gateway-command", script: gateway, args: ["command"], mayPassFewer: onlyForStreams },
    {
      name: "gateway-merged",
      script: gateway,
      args: ["merged"],
      mayPassFewer: onlyForStreams,
      lacks: { "2025-11-25": ofTwoServers, "2026-07-28": ofTwoServers },
    },
  ],
  "conformance-gateway",
);
