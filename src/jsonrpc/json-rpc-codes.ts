/** The five codes JSON-RPC 2.0 defines, with its own messages. */
export const jsonRpcCodes = {
  parseError: { code: -32700, message: "Parse error" },
  invalidRequest: { code: -32600, message: "Invalid Request" },
  methodNotFound: { code: -32601, message: "Method not found" },
  invalidParams: { code: -32602, message: "Invalid params" },
  internalError: { code: -32603, message: "Internal error" },
} as const;

/** The codes the revisions of MCP define; -32002 and -32042 belong to the legacy era. */
const mcpCodes = {
  resourceNotFound: { code: -32002, message: "Resource not found" },
  headerMismatch: { code: -32020, message: "Header mismatch" },
  missingRequiredClientCapability: { code: -32021, message: "Missing required client capability" },
  unsupportedProtocolVersion: { code: -32022, message: "Unsupported protocol version" },
  urlElicitationRequired: { code: -32042, message: "URL elicitation required" },
} as const;

export interface CodeRange {
  readonly from: number;
  readonly to: number;
}

/** Who may define codes where, both ends included; an application's own codes lie outside `reserved`. */
export const codeRanges = {
  /** All that JSON-RPC 2.0 keeps for itself. */
  reserved: { from: -32768, to: -32000 },
  /** What JSON-RPC 2.0 leaves to implementations; MCP 2026-07-28 advises against new codes here. */
  implementation: { from: -32099, to: -32000 },
  /** What MCP 2026-07-28 keeps for its specification. */
  mcp: { from: -32099, to: -32020 },
} as const satisfies Readonly<Record<string, CodeRange>>;

const knownCodes = new Set<number>(
  [...Object.values(jsonRpcCodes), ...Object.values(mcpCodes)].map(({ code }) => code),
);

function isWithin(code: number, range: CodeRange): boolean {
  return code >= range.from && code <= range.to;
}

/** Whether a code lies where only JSON-RPC and MCP define codes. */
export function isReservedCode(code: number): boolean {
  return isWithin(code, codeRanges.reserved);
}

/** Whether JSON-RPC 2.0 or a revision of MCP gives the code its meaning. */
export function isKnownCode(code: number): boolean {
  return knownCodes.has(code);
}

/** The two codes for a message whose id could not be read, which alone are answered with a null id. */
export function isUnreadableCode(code: unknown): boolean {
  return code === jsonRpcCodes.parseError.code || code === jsonRpcCodes.invalidRequest.code;
}
