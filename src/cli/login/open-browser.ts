import { spawn } from "node:child_process";
import type { CliIo } from "../cli-io.ts";

/** How an address is given to the user's browser, or undefined where no browser can be opened. */
export function browserCommand(
  address: URL,
  { env }: Pick<CliIo, "env">,
  platform: NodeJS.Platform = process.platform,
): readonly [program: string, ...args: string[]] | undefined {
  if (address.protocol !== "https:" && address.protocol !== "http:") return undefined;
  const { BROWSER: named, SSH_CONNECTION: remote, DISPLAY: x, WAYLAND_DISPLAY: wayland } = env;
  if (named !== undefined && named !== "") return [named, address.href];
  if (remote !== undefined && remote !== "") return undefined;
  if (platform === "darwin") return ["open", address.href];
  // Without a shell: `start` would read the & of an address as the end of a command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", address.href];
  return (x ?? wayland ?? "") === "" ? undefined : ["xdg-open", address.href];
}

/** Opens the address in the user's browser. Whether a program was started that does so. */
export function openBrowser(address: URL, io: Pick<CliIo, "env">): Promise<boolean> {
  const [program, ...args] = browserCommand(address, io) ?? [];
  if (program === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
