import {
  profiles as builtIn,
  optionalNotes,
  type OptionalNote,
  type Presence,
  type Profile,
} from "../../core/contract/profile.ts";
import { setOwn } from "../../core/json/json-value.ts";
import type { ProfileSection } from "./config-schema.ts";
import { adviseName } from "../../core/text/did-you-mean.ts";
import { snake } from "./table-types.ts";

type Definitions = Readonly<Record<string, ProfileSection>>;
type Definition = ProfileSection;
type NoteKey = keyof NonNullable<Definition["show"]>;
export type Report = (path: readonly string[], message: string) => void;

/** The notes, by their names in the config file. */
export const noteNames = Object.fromEntries(optionalNotes.map((note) => [snake(note), note])) as Readonly<
  Record<NoteKey, OptionalNote>
>;

/**
 * The built-in profiles, overridden by the configured ones; a profile that extends its own name extends the
 * built-in.
 */
export function resolveProfiles(definitions: Definitions, report: Report): Readonly<Record<string, Profile>> {
  const resolved = new Map<string, Profile>();
  for (const name of Object.keys(definitions)) {
    const chain = chainOf(name, definitions, resolved, report);
    for (const link of chain.reverse()) {
      const definition = definitions[link];
      if (definition === undefined) continue;
      resolved.set(link, applyDefinition(link, definition, baseOf(link, definition, resolved)));
    }
  }
  const all: Record<string, Profile> = { ...builtIn };
  for (const name of Object.keys(definitions)) setOwn(all, name, resolved.get(name) ?? builtIn.standard);
  return all;
}

/** The names from a profile up to the first that is built in or already resolved. */
function chainOf(
  name: string,
  definitions: Definitions,
  resolved: Map<string, Profile>,
  report: Report,
): string[] {
  const chain: string[] = [];
  const seen = new Set<string>();
  let current = name;
  while (Object.hasOwn(definitions, current) && !resolved.has(current)) {
    chain.push(current);
    seen.add(current);
    const parent = definitions[current]?.extends;
    if (parent === undefined || (parent === current && Object.hasOwn(builtIn, current))) break;
    const path = ["profiles", current, "extends"];
    if (seen.has(parent)) {
      report(path, `The profile "${current}" extends itself by way of "${parent}". Break the circle.`);
      break;
    }
    if (!Object.hasOwn(builtIn, parent) && !Object.hasOwn(definitions, parent)) {
      const known = Object.keys({ ...builtIn, ...definitions });
      report(path, `Unknown profile "${parent}". ${adviseName(parent, known)}`);
    }
    current = parent;
  }
  return chain;
}

function baseOf(
  name: string,
  { extends: parent }: Definition,
  resolved: ReadonlyMap<string, Profile>,
): Profile {
  const builtIns: Readonly<Record<string, Profile>> = builtIn;
  const wanted = parent ?? name;
  const configured = wanted === name ? undefined : resolved.get(wanted);
  if (configured !== undefined) return configured;
  return (Object.hasOwn(builtIns, wanted) ? builtIns[wanted] : undefined) ?? builtIn.standard;
}

function applyDefinition(name: string, definition: Definition, base: Profile): Profile {
  const show: Record<OptionalNote, Presence> = { ...base.show };
  for (const [key, note] of Object.entries(noteNames)) {
    const presence = definition.show?.[key as NoteKey];
    if (presence !== undefined) show[note] = presence;
  }
  return {
    name,
    show,
    fillNulls: definition.fill_nulls ?? base.fillNulls,
    excludeFields: definition.exclude_fields ?? base.excludeFields,
  };
}
