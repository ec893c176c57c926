import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

/** Loaded before a published server that would listen on every address of the machine, at a port that it must be told. */
const onLoopback = `
import net from "node:net";
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (_port, ...more) {
  this.once("listening", () => console.log("PORT " + this.address().port));
  return listen.call(this, 0, "127.0.0.1", more.find((each) => typeof each === "function"));
};`;

export interface EverythingServer {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** server-everything over Streamable HTTP, or over HTTP+SSE of 2024, in a process of its own. */
export async function serveEverything(
  transport: "streamableHttp" | "sse" = "streamableHttp",
): Promise<EverythingServer> {
  const script = createRequire(import.meta.url).resolve(
    "@modelcontextprotocol/server-everything/dist/index.js",
  );
  const hook = `data:text/javascript,${encodeURIComponent(onLoopback)}`;
  const child = spawn(process.execPath, ["--import", hook, script, transport], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const gone = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, found] = /^PORT (\d+)$/.exec(line) ?? [];
      if (found !== undefined) resolve(found);
    });
    void gone.then(() => reject(new Error("server-everything ended before it listened")));
  });
  return {
    url: `http://127.0.0.1:${port}/${transport === "sse" ? "sse" : "mcp"}`,
    close: () => {
      child.kill("SIGKILL");
      return gone;
    },
  };
}
