/** The type of a source whose content is a digest; apart from the payload's schema, so that telling one needs no Zod. */
export const DIGEST_CONTENT_TYPE = "digest/v1";
