// What the tool is called that gives back what was cut. Clients that have several servers in one flat list of names need
// a different one for each, so the name is a setting, and whoever looks for the tool looks at its arguments.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { RETRIEVE_TOOL } from "./wire-names.ts";

/** APIs of models take 64 characters; what remains is for a client that puts something in front. */
const MAX_RETRIEVE_NAME = 60;

/** What every API of a model takes as the name of a tool. */
export const RETRIEVE_NAME = /^[A-Za-z0-9_-]{1,60}$/;
const ILLEGAL = /[^A-Za-z0-9_-]+/g;
const ENDING = "_retrieve";

/** Why a name cannot be the tool's, as the end of a sentence; undefined where it can. */
export function retrieveNameProblem(name: unknown): string | undefined {
  if (typeof name === "string" && RETRIEVE_NAME.test(name)) return undefined;
  return `is not the name of a tool: write letters, digits, dashes and underscores, ${MAX_RETRIEVE_NAME} at most.`;
}

/** A name in the characters of tools; undefined where nothing of it is left. */
export function toolWord(name: string): string | undefined {
  const word = name.replaceAll(ILLEGAL, "_").replaceAll(/^_+|_+$/g, "");
  return word === "" ? undefined : word;
}

/** What the tool is called behind a gateway of this name: `files_retrieve`. */
export function retrieveNameFor(gateway: string): string {
  const word = toolWord(gateway);
  return word === undefined ? RETRIEVE_TOOL : word.slice(0, MAX_RETRIEVE_NAME - ENDING.length) + ENDING;
}

/** The name itself, or the first one with a number that nobody else has. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) {
    const ending = `_${number}`;
    free = name.slice(0, MAX_RETRIEVE_NAME - ending.length) + ending;
  }
  return free;
}

/** True for a name, or that name with a number: what the tool may be called where the name is taken. */
export function isNumbered(name: string, base: string): boolean {
  return name === base || (name.startsWith(`${base}_`) && /^[1-9]\d{0,3}$/.test(name.slice(base.length + 1)));
}

/** What tells Waybill's own tool from any other, whatever it is called. */
const retrievalArguments = ["archive", "ids", "pointer", "match", "cursor"];

/** True for a tool, as a list shows it, with which a Waybill gives back what it cut. */
export function isRetrievalTool({ inputSchema }: JsonObject): boolean {
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  return isJsonObject(properties) && retrievalArguments.every((each) => Object.hasOwn(properties, each));
}
