/** The allowed numbers of an upstream, in a file and in code. */
export const gatewayLimits = {
  processes: { min: 1, max: 10_000 },
  openRequests: { min: 1, max: 100_000 },
  // A tool list of some size must fit; otherwise no client could use the server at all.
  messageBytes: { min: 65_536, max: 536_870_912, unit: "bytes" },
} as const;
