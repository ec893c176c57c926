/** What the numbers of an upstream may be, in a file and in code alike. */
export const gatewayLimits = {
  processes: { min: 1, max: 10_000 },
  openRequests: { min: 1, max: 100_000 },
  // A list of tools of some size must fit, or no client could use the server at all.
  messageBytes: { min: 65_536, max: 536_870_912, unit: "bytes" },
} as const;
