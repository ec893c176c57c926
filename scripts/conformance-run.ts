// Runs the official conformance suite against the fixture server of test/conformance, with Waybill and without.
// Exits 0 only if every scored scenario passes, and every scenario gives the same counts with Waybill as without.

import { runConformance } from "./conformance-suite.ts";

const script = "test/conformance/serve.ts";
const variants = ["plain", "waybill", "attached"].map((name) => ({ name, script, args: [name] }));

// `serve` answers clients of 2025-11-25 without sessions over HTTP. Each of these needs one: to ask the client while a tool
// runs, or to go on with a stream.
const ofSessions = [
  "elicitation-sep1034-defaults",
  "elicitation-sep1330-enums",
  "server-session-lifecycle",
  "server-sse-multiple-streams",
  "server-sse-polling",
  "tools-call-elicitation",
  "tools-call-sampling",
];
const served = {
  name: "serve",
  script: "test/conformance/serve-door.ts",
  args: [],
  // One of its checks looks for the id of a session.
  mayPassFewer: ["server-initialize"],
  lacks: { "2025-11-25": ofSessions },
};

await runConformance([...variants, served], "conformance");
