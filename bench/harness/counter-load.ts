// Run in a process of its own: loads one counter, counts a few words, prints what that took.
import { type CounterName, loadBenchCounter } from "./token-counters.ts";

const collect = (): void => (globalThis as { gc?: () => void }).gc?.();

collect();
const before = process.memoryUsage().rss;
const start = performance.now();
const { count } = await loadBenchCounter(process.argv[2] as CounterName);
count('{"task":"Count these words","done":false}');
const loadMs = performance.now() - start;
collect();
console.log(JSON.stringify({ loadMs, rssBytes: process.memoryUsage().rss - before }));
