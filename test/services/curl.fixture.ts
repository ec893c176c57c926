import { execFile, spawnSync } from "node:child_process";

export function hasCurl(): boolean {
  return spawnSync("curl", ["--version"], { stdio: "ignore" }).status === 0;
}

export interface CurlAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Runs `curl` with these words; what it prints is the head of the answer, then its body. */
export function curl(...words: readonly string[]): Promise<CurlAnswer> {
  return new Promise((resolve, reject) => {
    const all = ["--silent", "--show-error", "--include", "--max-time", "30", ...words];
    execFile("curl", all, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      // 28 is a time that was over: for a stream that never ends, what came is the answer.
      if (error !== null && error.code !== 28) {
        reject(new Error(`curl ended with ${error.code}: ${stderr}`));
        return;
      }
      const parts = stdout.split("\r\n\r\n");
      while (parts[0]?.startsWith("HTTP/1.1 100") === true) parts.shift();
      const [head = "", ...rest] = parts;
      const [first = "", ...lines] = head.split("\r\n");
      const headers = lines.map((line) => [
        line.slice(0, line.indexOf(":")).toLowerCase(),
        line.slice(line.indexOf(":") + 1).trim(),
      ]);
      resolve({
        status: Number(first.split(" ")[1]),
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: rest.join("\r\n\r\n"),
      });
    });
  });
}
