import { useEffect, useState } from "preact/hooks";
import { reconnectNow } from "../live/live-connection.ts";
import { connection, hello } from "../live/page-state.ts";

/** Whole seconds until then, drawn again every second. */
function useSecondsUntil(at: number | undefined): number {
  const [, draw] = useState(0);
  useEffect(() => {
    if (at === undefined) return undefined;
    const timer = setInterval(() => draw((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [at]);
  return at === undefined ? 0 : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** Says when what is shown is not live any more. */
export function ConnectionNote() {
  const now = connection.value;
  const seconds = useSecondsUntil(now.state === "broken" ? now.retryAt : undefined);
  const isBroken = now.state === "broken";
  return (
    <div class="connection">
      {/* The seconds are left out of what is announced: they would be read one by one. */}
      <p class="unseen" role="status">
        {isBroken ? "The connection to the gateway is lost. The page connects again by itself." : ""}
      </p>
      {isBroken ? (
        <div class="connection-note">
          <strong>Disconnected.</strong>
          <span>
            What you see is from before.{" "}
            {now.retryAt === undefined ? "Connecting…" : `Next try in ${seconds} s.`}
          </span>
          <button type="button" class="small" disabled={now.retryAt === undefined} onClick={reconnectNow}>
            Connect now
          </button>
        </div>
      ) : null}
    </div>
  );
}

/** Shown in place of the views when the gateway does not know this page. */
export function SignedOut() {
  if (hello.value?.hasTokens === true)
    return (
      <div class="state signed-out">
        <h1 tabIndex={-1}>This page is signed out</h1>
        <p>Half a day has passed, or the tokens of this dashboard have changed.</p>
        <button type="button" onClick={() => location.reload()}>
          Sign in again
        </button>
      </div>
    );
  return (
    <div class="state signed-out">
      <h1 tabIndex={-1}>This page is signed out</h1>
      <p>
        The gateway was started again, or this browser was never signed in. Open the link that the gateway
        printed when it started: it begins with <code>{location.origin}/?token=</code> and works once.
      </p>
      <p>If you do not have it any more, ask for a new one: the gateway prints it in the same place.</p>
      <button type="button" onClick={() => location.reload()}>
        Ask for a new link
      </button>
    </div>
  );
}
