import { Counter, type Family, Gauge } from "./exposition.ts";

const cpu = new Counter("process_cpu_seconds_total", "Processor time of this process.");

const startedAt = Math.round(Date.now() / 1_000 - process.uptime());

/** What every process tells, under the names that dashboards know. */
export const processFamilies: readonly Family[] = [
  {
    lines: () => {
      const { user, system } = process.cpuUsage();
      cpu.reach({}, (user + system) / 1_000_000);
      return cpu.lines();
    },
  },
  new Gauge("process_resident_memory_bytes", "Memory of this process.", () => [
    [{}, process.memoryUsage.rss()],
  ]),
  new Gauge("process_start_time_seconds", "When this process started, in seconds since 1970.", () => [
    [{}, startedAt],
  ]),
];
