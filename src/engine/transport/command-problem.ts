// Why a command cannot be started, for the operator of the gateway. Clients do not get this text: they must
// not learn the command's name.

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

export interface CommandPlace {
  readonly command: string;
  readonly cwd?: string | undefined;
  /** All variables of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const isWindows = process.platform === "win32";

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Never throws: a folder of the path that cannot be read counts as missing. */
function safely(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

/** On Windows, names of variables are case-insensitive. */
function variable(environment: CommandPlace["environment"], name: string): string | undefined {
  if (!isWindows) return environment[name];
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** The files that a command can mean: on Windows, the ending may be left out. */
function withEndings(path: string, environment: CommandPlace["environment"]): readonly string[] {
  if (!isWindows) return [path];
  const endings = (variable(environment, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";");
  return [path, ...endings.map((ending) => `${path}${ending}`)];
}

function candidates({ command, cwd = ".", environment }: CommandPlace): readonly string[] {
  const isPath = command.includes("/") || (isWindows && command.includes("\\"));
  if (isPath) return withEndings(resolve(cwd, command), environment);
  const folders = (variable(environment, "PATH") ?? "").split(delimiter).filter((folder) => folder !== "");
  const searched = isWindows ? [cwd, ...folders] : folders;
  return searched.flatMap((folder) => withEndings(join(resolve(cwd, folder), command), environment));
}

function isExecutable(path: string): boolean {
  return safely(() => {
    accessSync(path, constants.X_OK);
    return true;
  });
}

/** Only the program: its arguments may contain secrets. */
function programOf(command: string): string {
  return JSON.stringify(command.trim().split(/\s/, 1)[0] ?? "");
}

function missing(command: string, isSearched: boolean): string {
  if (/\s/.test(command.trim()))
    return `the command that begins with ${programOf(command)} was not found. Write its arguments as words of their own, without quotes around the whole.`;
  return isSearched
    ? `the command ${programOf(command)} was not found on PATH. Install it, or correct its name or PATH.`
    : `the command ${programOf(command)} does not exist. Correct its path.`;
}

/** True if the folder to start in is not there: the system then says that the command is not. */
export function lacksFolder({ cwd }: Pick<CommandPlace, "cwd">): boolean {
  return cwd !== undefined && !safely(() => isFolder(cwd));
}

/** What is wrong and what to do, as a sentence; undefined if no problem is known. */
export function commandProblem(place: CommandPlace): string | undefined {
  const { command, cwd, environment } = place;
  if (lacksFolder(place)) return `its folder ${JSON.stringify(cwd)} does not exist. Correct \`cwd\`.`;
  const isSearched = !/[/\\]/.test(command);
  // Without PATH the system uses its own list.
  if (isSearched && variable(environment, "PATH") === undefined) return undefined;
  const files = candidates(place).filter((path) => safely(() => isFile(path)));
  if (files.length === 0) return missing(command, isSearched);
  if (files.some(isExecutable)) return undefined;
  return `the command ${programOf(command)} may not be run by this user. Make it executable (chmod +x).`;
}

/** The same, after an attempt that failed. */
export function startProblem(place: CommandPlace, { code }: NodeJS.ErrnoException): string {
  const known = commandProblem(place);
  if (known !== undefined) return known;
  const program = programOf(place.command);
  if (code === "EMFILE" || code === "ENFILE")
    return `the command ${program} could not be run, because too many files are open (${code}). Raise the limit (ulimit -n), or lower maxProcesses.`;
  if (code === "ENOENT")
    return `the command ${program} was found, but not what runs it. Correct the first line of the script.`;
  return `the command ${program} could not be run (${code ?? "unknown reason"}).`;
}
