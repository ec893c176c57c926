// Prints the path of Bun, and fetches it from npm into .cache/ at first: it has 100 MB, and only one test runs it.
import { fetchBinary } from "./fetch-binary.mjs";

const platform = process.platform === "win32" ? "windows" : process.platform;
const binary = fetchBinary({
  title: "Bun",
  folder: "bun",
  name: `@oven/bun-${platform}-${process.arch === "arm64" ? "aarch64" : process.arch}`,
  version: "1.4.4",
  file: process.platform === "win32" ? "bun.exe" : "bun",
});
console.log(binary);
