import { chmodSync } from "node:fs";

// tsc writes plain files; npm sets the bit on install, a fresh clone does not.
chmodSync(new URL("../dist/cli/main.js", import.meta.url), 0o755);
