// A real Secret Service of one's own: gnome-keyring on a session bus of its own, in a folder that goes with it.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

/** Whether tests that need a keyring can run. */
export function hasKeyring(): boolean {
  const programs = ["dbus-daemon", "dbus-send", "gnome-keyring-daemon"];
  return programs.every((name) => spawnSync("sh", ["-c", `command -v ${name}`]).status === 0);
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  return ended;
}

function isServed(env: NodeJS.ProcessEnv): boolean {
  const question = ["--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner"];
  const words = ["--session", "--print-reply", ...question, "string:org.freedesktop.secrets"];
  return spawnSync("dbus-send", words, {
    env,
    encoding: "utf8",
  }).stdout.includes("boolean true");
}

const MAX_ATTEMPTS = 200;

/** The environment in which the keyring is found. `isLocked`: its password was not given, and will not be. */
export async function startKeyring({ isLocked = false } = {}): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-keyring-"));
  const own = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_RUNTIME_DIR: folder,
  };
  const bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address=1"], {
    env: own,
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    await end(bus);
    rmSync(folder, { recursive: true, force: true });
  });
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(bus.stdout).once("line", resolve);
    bus.once("exit", () => reject(new Error("dbus-daemon ended at its start.")));
  });
  const env = { ...own, DBUS_SESSION_BUS_ADDRESS: address };
  const words = ["--foreground", "--components=secrets"];
  const service = spawn("gnome-keyring-daemon", isLocked ? words : [...words, "--unlock"], {
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => end(service));
  service.stdin.end("a password of the test");
  for (let attempt = 0; !isServed(env); attempt++) {
    if (attempt === MAX_ATTEMPTS || service.exitCode !== null)
      throw new Error("gnome-keyring-daemon serves no secrets.");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: folder };
}
