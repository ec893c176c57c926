// Whether callers can sign in to a server: it must answer, and what it publishes about the sign-in must be readable. No
// caller is signed in for that.

import { discoverOAuthServerInfo } from "@modelcontextprotocol/client";
import type { HttpFailure } from "../../../engine/transport/http/http-failure.ts";
import type { HttpTarget } from "../../../engine/transport/http/http-target.ts";
import { probeUrl } from "../probe/probe-url.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { signInError } from "./sign-in-error.ts";
import { challengeIn } from "./upstream-login.ts";

const BAD_GATEWAY = 502;

/** Why callers cannot sign in and call; undefined if they can, or if the server wants no sign-in. */
export async function probeSignIn(target: HttpTarget, signal: AbortSignal): Promise<HttpFailure | undefined> {
  const { failure, refusal } = await probeUrl(target, signal);
  if (refusal === undefined) return failure;
  const { href } = target.url;
  const { resourceMetadataUrl } = challengeIn(refusal);
  try {
    const { authorizationServerMetadata } = await discoverOAuthServerInfo(href, {
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      fetchFn: guardedFetch(href),
    });
    if (authorizationServerMetadata !== undefined) return undefined;
    return away("the server publishes no metadata about how one signs in to it");
  } catch (error) {
    return away(signInError(error).message);
  }
}

function away(why: string): HttpFailure {
  return { message: `Callers cannot sign in: ${why}`, executed: "no", status: BAD_GATEWAY, isDown: true };
}
