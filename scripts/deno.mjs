// Prints the path of Deno, and fetches it from npm into .cache/ at first: it has 92 MB, and only one test runs it.
import { chmodSync } from "node:fs";
import { fetchBinary } from "./fetch-binary.mjs";

const binary = fetchBinary({
  title: "Deno",
  folder: "deno",
  name: `@deno/${process.platform}-${process.arch}${process.platform === "linux" ? "-glibc" : ""}`,
  version: "2.9.6",
  inside: "",
  file: process.platform === "win32" ? "deno.exe" : "deno",
});
// Its own installer would do this; scripts of packages do not run here.
chmodSync(binary, 0o755);
console.log(binary);
