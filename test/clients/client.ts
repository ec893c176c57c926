// What the laboratory must know of a client to run it.

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** A client talks to the server itself, or to the gateway in front of it. */
export type Via = "direct" | "gateway";

interface ClientBase {
  readonly name: string;
  /** In `.cache/clients`, where another client has the same packages; else by its name. */
  readonly folder?: string;
  /** The row that it is compared with, if not the one of its name. */
  readonly row?: string;
  /** In tables, if not the name of its row. */
  readonly title?: string;
  /** Exact versions from npm. The first is the one that the table names. */
  readonly packages: Readonly<Record<string, string>>;
  /** The row to set behind the gateway, for a client that carries its application's name. */
  readonly reader?: string;
  /** Its install script puts its program in place; no other client's is run. */
  readonly needsScripts?: true;
  /** What the client writes where it cut a result. */
  readonly cutMark?: RegExp;
}

/** A connection of a library to the server, which serves every shape. */
export interface Conversation {
  /** Lets a model at this address answer one prompt. */
  ask(modelAddress: string): Promise<unknown>;
  close(): Promise<unknown>;
}

/** A client that is a library: one process has a small program that uses it for all shapes. */
export interface LibraryClient<Door = unknown> extends ClientBase {
  readonly kind: "library";
  /** Names under which the program is handed the library's modules. */
  readonly modules: Readonly<Record<string, string>>;
  open(door: Door, server: ServerCommand): Promise<Conversation>;
}

/** What a command needs to run once. */
interface Preparation {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** By path from the client's home, which is also its working directory. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A client that is a command: one process a shape. */
export interface CommandClient extends ClientBase {
  readonly kind: "command";
  /** From the folder of its packages. */
  readonly bin: string;
  prepare(server: ServerCommand, modelAddress: string, home: string): Preparation;
  /** It listens on a port that is always the same. */
  readonly isAlone?: true;
  /** Arguments of a last call that ends what the command left running. */
  readonly afterwards?: readonly string[];
}

export type LabClient = LibraryClient | CommandClient;

export const PROMPT = "Call the tool.";

/** Calls of the model that a library allows: more than it makes. */
export const MOST_STEPS = 100;
