// Runs the official conformance suite against the fixture server of test/conformance, with Waybill and without.
// Exits 0 only if every scored scenario passes, and every scenario gives the same counts with Waybill as without.

import { runConformance } from "./conformance-suite.ts";

const script = "test/conformance/serve.ts";
const variants = ["plain", "waybill", "attached"].map((name) => ({ name, script, args: [name] }));

await runConformance(variants, "conformance");
