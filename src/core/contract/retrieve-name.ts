// The name of the tool that returns what was cut. Clients that show several servers in one flat list of names need a
// different name for each, so the name is a setting; code that looks for the tool recognises it by its arguments.

import { type JsonObject, isJsonObject } from "../json/json-value.ts";
import { RETRIEVE_TOOL } from "./wire-names.ts";

/** Model APIs accept 64 characters; the rest is left for a client that adds a prefix. */
const MAX_RETRIEVE_NAME = 60;

/** A tool name that every model API accepts. */
export const RETRIEVE_NAME = /^[A-Za-z0-9_-]{1,60}$/;
const ILLEGAL = /[^A-Za-z0-9_-]+/g;
const ENDING = "_retrieve";

/** Why the tool cannot have this name, as the end of a sentence; undefined if it can. */
export function retrieveNameProblem(name: unknown): string | undefined {
  if (typeof name === "string" && RETRIEVE_NAME.test(name)) return undefined;
  return `is not the name of a tool: write letters, digits, dashes and underscores, ${MAX_RETRIEVE_NAME} at most.`;
}

/** The name with only the characters that tool names may have; undefined if none are left. */
export function toolWord(name: string): string | undefined {
  const word = name.replaceAll(ILLEGAL, "_").replaceAll(/^_+|_+$/g, "");
  return word === "" ? undefined : word;
}

/** The tool's name behind a gateway of this name: `files_retrieve`. */
export function retrieveNameFor(gateway: string): string {
  const word = toolWord(gateway);
  return word === undefined ? RETRIEVE_TOOL : word.slice(0, MAX_RETRIEVE_NAME - ENDING.length) + ENDING;
}

/** The name itself, or the first numbered form of it that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) {
    const ending = `_${number}`;
    free = name.slice(0, MAX_RETRIEVE_NAME - ending.length) + ending;
  }
  return free;
}

/** True for a name, or that name with a number, which the tool gets if the name is taken. */
export function isNumbered(name: string, base: string): boolean {
  return name === base || (name.startsWith(`${base}_`) && /^[1-9]\d{0,3}$/.test(name.slice(base.length + 1)));
}

/** The arguments that tell Waybill's own tool from any other, whatever its name. */
const retrievalArguments = ["archive", "ids", "pointer", "match", "cursor"];

/** True for a listed tool with which a Waybill server returns what it cut. */
export function isRetrievalTool({ inputSchema }: JsonObject): boolean {
  const properties = isJsonObject(inputSchema) ? inputSchema["properties"] : undefined;
  return isJsonObject(properties) && retrievalArguments.every((each) => Object.hasOwn(properties, each));
}
