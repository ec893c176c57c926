import { spawnSync } from "node:child_process";

/** Whether the example servers in Python can run: they need 3.9 or newer, and nothing else. */
export function hasPython(): boolean {
  const asks = "import sys; sys.exit(sys.version_info < (3, 9))";
  return spawnSync("python3", ["-c", asks], { stdio: "ignore" }).status === 0;
}
