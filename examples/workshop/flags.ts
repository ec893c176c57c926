import { type Flags, defineFlags } from "waybill";

/** Reads `name=on,name=off`. */
function overridesIn(text: string): Record<string, boolean> {
  const pairs = text.split(",").map((pair) => pair.trim().split("="));
  return Object.fromEntries(pairs.flatMap(([name, state]) => (name ? [[name, state === "on"]] : [])));
}

/** `WORKSHOP_FLAGS=response_contract_v2=off` brings the legacy answers back, and says so on stderr. */
export function workshopFlags(environment: NodeJS.ProcessEnv): Flags {
  return defineFlags(
    {
      batch_export: {
        state: "beta",
        default: false,
        owner: "workshop",
        description: "Export many specs at once.",
      },
    },
    {
      overrides: overridesIn(environment["WORKSHOP_FLAGS"] ?? ""),
      onDeprecation: ({ flag, sunset }) =>
        process.stderr.write(
          `Deprecated: ${flag} is off; its legacy answers end on ${sunset ?? "no date"}.\n`,
        ),
    },
  );
}
