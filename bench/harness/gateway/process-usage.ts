import { readFileSync, readdirSync } from "node:fs";

/** Linux says how long each thread of a process ran; nothing else here depends on the system. */
export function canMeasureProcesses(): boolean {
  try {
    readFileSync("/proc/self/schedstat");
    return true;
  } catch {
    return false;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8")
        .split(" ")
        .filter((child) => child.trim() !== "")
        .map(Number),
    );
  } catch {
    return [];
  }
}

/** A process and everything that it started. */
export function processTree(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)];
}

/** Processor time of these processes so far, in µs. */
export function cpuUsOf(pids: readonly number[]): number {
  let nanoseconds = 0;
  for (const pid of pids) {
    try {
      for (const task of readdirSync(`/proc/${pid}/task`))
        nanoseconds += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // It has ended; what it used before is part of no turn any more.
    }
  }
  return nanoseconds / 1_000;
}

export function rssMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

export function peakMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}
