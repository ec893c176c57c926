import { spawnSync } from "node:child_process";

/** Whether Prometheus's tool for rules is there (the Debian package prometheus has it). */
export function hasPromtool(): boolean {
  return spawnSync("promtool", ["--version"], { stdio: "ignore" }).status === 0;
}
