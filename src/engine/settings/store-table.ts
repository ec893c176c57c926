// The settings of what is kept: what of results, where, how long and how much. They are rows of the one table, `table.ts`.

import { type SettingsTable, archiveModes } from "./table-types.ts";

export const storeTable = {
  /** What of the results that are cut, filtered by `lean` or asked by `select` is kept. Default: "cuts", what they leave out. */
  archive: {
    kind: { is: "choice", of: archiveModes },
    default: "cuts",
    contract: true,
    tool: true,
    file: "What is kept: the whole of results that leave something out (cuts), or nothing (off). Default: cuts.",
    fileTool: "What is kept of this tool's results: cuts, or off for nothing.",
    upstream: "What is kept of its results: cuts, or off for nothing.",
    variable: "WAYBILL_ARCHIVE",
    line: "--archive",
    gateway: "what is kept: the whole of what is cut, or nothing (default: cuts)",
  },
  /** How long what this tool's results leave out is kept, if that is less than in general. */
  store: {
    advice: "Write { ttl }.",
    file: "Where cut content is kept, how long and how much: an address, or an object.",
    fileTool: "How long what this tool's results leave out is kept.",
    onlyNamed: true,
    members: {
      place: {
        kind: { is: "text" },
        otherInCode: true,
        file: '"memory", a directory, redis://…, postgres://…, or "off" for nowhere. Default memory; of the gateway: a folder of the user.',
        line: "--store",
        gateway:
          "where cut results are kept: memory, a directory, redis://…, postgres://…, or off for nowhere (default: a folder of yours)",
      },
      /** Such as "1h": less than the store's own lifetime. */
      ttl: {
        kind: { is: "span", min: "1s", max: "36500d" },
        tool: true,
        file: 'How long an entry is kept, such as "1d" or "12h". A shorter one holds for what was kept before, too. Default: 7d.',
        fileTool: "How long an entry of this tool is kept. More than the ttl in general has no effect.",
        variable: "WAYBILL_STORE_TTL",
        line: "--store-ttl",
        gateway: "how long an entry is kept, such as 12h or 1d (default: 7d)",
      },
      maxBytes: {
        kind: { is: "whole", min: 1, unit: "bytes" },
        file: "Most bytes of all entries; the least recently used make room. Default: 67108864 in memory, 1073741824 in a directory, none in Redis and PostgreSQL.",
        variable: "WAYBILL_STORE_MAX_BYTES",
        line: "--store-max-bytes",
        gateway: "most bytes of all entries together (default: 1 GiB in a directory)",
      },
    },
  },
} as const satisfies SettingsTable;
