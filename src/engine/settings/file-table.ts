// The settings of a file that are about the whole server: its profiles, tiers, flags and cursors, its tools by name, and the
// servers of a gateway. They are rows of the one table, `table.ts`.

import { type SettingsTable, validateModes } from "./table-types.ts";

const toggle = { is: "toggle" } as const;
const text = { is: "text" } as const;

export const fileTable = {
  profiles: {
    kind: { is: "own" },
    file: "Profiles of your own, or changes to the built-in ones, by name.",
  },
  tools: {
    kind: { is: "own" },
    file: "Settings of single tools, by name.",
    upstream: "Settings of its single tools, by name.",
  },
  excludeEmptyArrays: {
    kind: toggle,
    default: false,
    file: "Leave out empty arrays in data. Default: false.",
    page: true,
  },
  excludeEmptyObjects: {
    kind: toggle,
    default: false,
    file: "Leave out empty objects in data. Default: false.",
    page: true,
  },
  excludeNullValues: {
    kind: toggle,
    default: false,
    file: "Leave out null values in data. Default: false.",
    page: true,
  },
  tiers: {
    file: "Service tiers.",
    members: {
      order: {
        kind: { is: "texts", least: "Name at least one tier." },
        default: ["community", "pro", "enterprise"],
        file: "Tiers from lowest to highest. Default: community, pro, enterprise.",
      },
      default: {
        kind: text,
        default: "community",
        follows: true,
        file: "The tier of a caller about whom nothing is known. Default: the lowest.",
      },
    },
  },
  flags: { kind: { is: "own" }, file: "Feature flags, by name.", onlyNamed: true },
  cursors: {
    file: "Pagination cursors.",
    onlyNamed: true,
    members: {
      acceptUnsigned: {
        kind: toggle,
        default: false,
        file: "Take unsigned base64 cursors too. Default: false.",
      },
      expiresInDays: {
        kind: { is: "whole", min: 1, max: 3650, unit: "days" },
        default: 7,
        file: "Days until a cursor expires. Default: 7.",
      },
    },
  },
  /** Check every outgoing result against the contract and throw on a violation: for tests. */
  validate: {
    kind: { is: "choice", of: validateModes },
    default: "never",
    contract: true,
    file: "Whether every outgoing result is checked against the contract. Default: never.",
  },
  upstreams: {
    kind: { is: "own" },
    file: "Servers behind the gateway, by name. Over HTTP each is at /NAME/mcp, and all of them are at /mcp.",
    onlyNamed: true,
  },
  http: { kind: { is: "own" }, file: "How the gateway listens over HTTP.", onlyNamed: true },
  dashboard: {
    kind: { is: "own" },
    file: "The dashboard beside the gateway, and who may see it.",
    onlyNamed: true,
  },
  merge: {
    kind: { is: "own" },
    file: "How the tools of several servers are named where one address serves them: /mcp, a group, or stdio.",
    onlyNamed: true,
  },
  endpoints: {
    kind: { is: "own" },
    file: "Groups of servers over HTTP, by name. Each is at /NAME/mcp, as all of them are at /mcp.",
    onlyNamed: true,
  },
} as const satisfies SettingsTable;
