import type { DigestPayload } from "../../core/contract/digest-payload.ts";
import { byteLength } from "../../engine/runtime/byte-length.ts";
import { digestLimits } from "../../core/pipeline/fit/digest-limits.ts";
import type { DigestLimits } from "../../core/pipeline/parcel.ts";
import type { DigestArguments } from "./digest-arguments.ts";
import type { ToolContext } from "../../engine/settings/tool-context.ts";

/** A token of JSON text is seldom shorter, in any script. */
const BYTES_PER_TOKEN = 3;
/** Envelope, source and hashes around a digest. */
const FRAME_BYTES = 1_800;
/** A digest that still says something, whether or not there is room for it. */
const LEAST_BYTES = 600;
/** With less for the whole answer, not even that fits beside the hashes; then one short quote is better than none. */
const TIGHT_BYTES = 1_500;
const shortest: DigestLimits = { maxSnippets: 1, snippetChars: 80, summaryChars: 80, maxKeyPoints: 0 };
/** Keys, counts and hash of a digest are most of this. */
const SHORTEST_BYTES = 450;

function bytesFor({ tokens, bytes }: ToolContext["budget"]): number {
  const byTokens = tokens === "off" ? Number.POSITIVE_INFINITY : tokens * BYTES_PER_TOKEN;
  return Math.min(bytes === "off" ? Number.POSITIVE_INFINITY : bytes, byTokens);
}

/**
 * What to ask for in place of a digest that its budget would cut; undefined where it has room. A cut digest is no
 * longer what its own counts say, so it is better made smaller.
 */
export function smallerDigest(
  payload: DigestPayload,
  budget: ToolContext["budget"],
  args: DigestArguments,
): DigestLimits | undefined {
  const all = bytesFor(budget);
  const isTight = all < TIGHT_BYTES;
  const room = isTight ? SHORTEST_BYTES : Math.max(LEAST_BYTES, all - FRAME_BYTES);
  const bytes = byteLength(JSON.stringify(payload));
  if (bytes <= room) return undefined;
  const limits = isTight ? shortest : digestLimits((room * payload.digest_chars) / bytes);
  const { max_snippets = 5, max_summary_chars = 1_000, max_key_points = 5 } = args;
  return {
    snippetChars: limits.snippetChars,
    maxSnippets: Math.min(max_snippets, limits.maxSnippets),
    summaryChars: Math.min(max_summary_chars, limits.summaryChars),
    maxKeyPoints: Math.min(max_key_points, limits.maxKeyPoints),
  };
}
