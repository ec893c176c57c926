// Requests to a server that wants to know who asks: each shows what its holder has, and one that is refused is sent
// once more after the holder has got something better.

import { type HttpFailure, statusFailure } from "./http-failure.ts";
import type { HttpAnswer, HttpAnswerListener, OpenRequest, SentRequest } from "./http-target.ts";

/** What a connection shows to its server so that it is let in. */
export interface Credentials {
  /** The value of the header `Authorization`; undefined if there is nothing to show. */
  header(): string | undefined;
  /** Resolves when `header` may be asked, perhaps after a refresh; undefined if it may be asked at once. */
  ready(): Promise<void> | undefined;
  /**
   * The server did not accept what it was shown. Undefined: the request may be sent once more, with what `header`
   * gives then. Else why the request fails.
   */
  refused(refusal: CredentialRefusal): Promise<HttpFailure | undefined>;
}

/** A server's refusal of one request. */
export interface CredentialRefusal {
  readonly status: number;
  /** The header `WWW-Authenticate`. */
  readonly challenge: string | undefined;
  /** What the request showed. */
  readonly shown: string | undefined;
  /** The request was sent once more already. */
  readonly isSecond: boolean;
  /** A caller waits for the answer: false if a stream is opened again, or a session ended. */
  readonly isWaitedFor: boolean;
}

const MAX_CHALLENGE_CHARACTERS = 8_192;

/** True if the server asks for other credentials. A 403 does so only if it names a scope that is missing. */
function asksForCredentials({ statusCode, headers }: HttpAnswer): boolean {
  if (statusCode === 401) return true;
  return statusCode === 403 && /\binsufficient_scope\b/.test(challengeOf(headers) ?? "");
}

function challengeOf(headers: HttpAnswer["headers"]): string | undefined {
  const challenge = headers["www-authenticate"];
  return challenge === undefined || challenge.length > MAX_CHALLENGE_CHARACTERS ? undefined : challenge;
}

/** Sends one request with credentials; `send` sends it as it is. */
export function sendWithCredentials(
  credentials: Credentials,
  sent: SentRequest,
  answered: HttpAnswerListener,
  send: (sent: SentRequest, answered: HttpAnswerListener) => OpenRequest,
): OpenRequest {
  let current: OpenRequest | undefined;
  let isOver = false;
  const start = (isSecond: boolean): void => {
    const shown = credentials.header();
    const headers = shown === undefined ? sent.headers : { ...sent.headers, authorization: shown };
    current = send({ ...sent, headers }, { ...answered, response: (got) => answer(got, shown, isSecond) });
  };
  const answer = (response: HttpAnswer, shown: string | undefined, isSecond: boolean): void => {
    if (!asksForCredentials(response)) return answered.response(response);
    response.on("error", () => undefined).resume();
    const { statusCode: status = 0, headers } = response;
    const failed = (failure: HttpFailure): void => {
      if (!isOver) answered.failed(failure);
    };
    const again = (): void => {
      if (isOver) return undefined;
      sent.repeated?.();
      return sent.again === undefined ? start(true) : sent.again();
    };
    void credentials
      .refused({
        status,
        challenge: challengeOf(headers),
        shown,
        isSecond,
        isWaitedFor: sent.isWaitedFor ?? sent.method === "POST",
      })
      .then((failure) => (failure === undefined ? again() : failed(failure)))
      .catch(() => failed(statusFailure(response)));
    return undefined;
  };
  const waiting = credentials.ready();
  const first = (): void => {
    if (!isOver) start(false);
  };
  if (waiting === undefined) first();
  else void waiting.then(first, first);
  return {
    abort: () => {
      isOver = true;
      current?.abort();
    },
  };
}
