// Stands between a gateway and a server: hands on every byte, and writes what the server says into a file.
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [, , log, command, ...args] = process.argv;
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.stdin.on("error", () => undefined);
server.stdout.on("data", (bytes) => {
  // First the file: a reader that has heard an answer finds it there.
  appendFileSync(log, bytes);
  process.stdout.write(bytes);
});
server.on("exit", (code) => process.exit(code ?? 0));
process.on("SIGTERM", () => server.kill());
