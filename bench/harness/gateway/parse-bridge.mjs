// The floor that the gateway is measured against: a bridge between stdin and a server's process that parses each line
// and writes it again, and does nothing else. Plain JavaScript, since its start is measured too.
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
const upstream = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
upstream.on("exit", (code) => process.exit(code ?? 0));
process.stdin.on("end", () => upstream.stdin.end());

function eachLine(source, take) {
  let pieces = [];
  source.on("data", (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      pieces.push(chunk.subarray(start, end));
      const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      pieces = [];
      start = end + 1;
      if (line.length > 0) take(line);
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
}

const again = (line) => `${JSON.stringify(JSON.parse(line.toString("utf8")))}\n`;
eachLine(process.stdin, (line) => upstream.stdin.write(again(line)));
eachLine(upstream.stdout, (line) => process.stdout.write(again(line)));
