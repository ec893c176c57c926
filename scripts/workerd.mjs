// Prints the path of workerd, the runtime of Cloudflare Workers, and fetches it from npm into .cache/ at first: it has
// 150 MB, and only one test runs it.
import { fetchBinary } from "./fetch-binary.mjs";

const platform = process.platform === "win32" ? "windows" : process.platform;
const binary = fetchBinary({
  title: "workerd",
  folder: "workerd",
  name: `@cloudflare/workerd-${platform}-${process.arch === "x64" ? "64" : process.arch}`,
  version: "1.20261104.1",
  file: process.platform === "win32" ? "workerd.exe" : "workerd",
});
console.log(binary);
