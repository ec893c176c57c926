import { countCodePoints } from "../contract/code-points.ts";
import { digestPayloadSchema } from "../contract/digest-payload.ts";
import { DIGEST_CONTENT_TYPE } from "../contract/digest-type.ts";
import { type DigestOptions, sourceQualities } from "./digest-options.ts";
import type { Skip } from "./digest-result.ts";

const DEFAULT_MIN_CHARS = 500;
/** A payload is at most some 20,000 characters; anything longer is none, whatever it begins with. */
const MAX_PAYLOAD_LENGTH = 100_000;

/** A digest is never digested again. */
export const alreadyDigested: Skip = {
  reason: "already_digested",
  message: "It is a digest already, and is not digested again.",
};

function isPayload(text: string): boolean {
  if (text.length > MAX_PAYLOAD_LENGTH || !text.startsWith("{")) return false;
  try {
    return digestPayloadSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

/** What is known before anything is read: a policy, or a type. */
export function skipUnread({ policy, contentType }: DigestOptions): Skip | undefined {
  if (policy === "off") return { reason: "policy_off", message: "Digests are turned off." };
  const type = contentType?.split(";", 1)[0]?.trim().toLowerCase();
  return type === DIGEST_CONTENT_TYPE ? alreadyDigested : undefined;
}

/** What is seen once the text is read: that it is a payload, or what the policy "auto" says of it. */
export function skipUnworthy(text: string, options: DigestOptions): Skip | undefined {
  if (isPayload(text)) return alreadyDigested;
  const { policy = "auto", minChars = DEFAULT_MIN_CHARS, quality, minQuality = "medium" } = options;
  if (policy !== "auto") return undefined;
  // Most texts are long enough by any count.
  if (text.length < minChars * 2) {
    const length = countCodePoints(text);
    const message = `It has ${length} characters, and the policy "auto" leaves texts under ${minChars} as they are.`;
    if (length < minChars) return { reason: "too_short", message };
  }
  // A source nobody judged is not a bad one.
  if (quality === undefined || sourceQualities.indexOf(quality) >= sourceQualities.indexOf(minQuality)) {
    return undefined;
  }
  return {
    reason: "low_quality",
    message: `Its quality is ${quality}, and the policy "auto" asks for ${minQuality}.`,
  };
}
