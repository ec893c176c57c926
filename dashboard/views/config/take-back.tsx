import type { ConfigChange, ConfigReport } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { post } from "../../live/api.ts";
import { useAction } from "../../live/use-action.ts";

/** Undoes a change that was made on the page: the setting is again what it was when the gateway started. */
export function TakeBack({
  upstream,
  path,
  onSaved,
}: {
  readonly upstream: string;
  readonly path: string;
  readonly onSaved: (report: ConfigReport, says: string) => void;
}) {
  const action = useAction<void>();
  const send = (): void =>
    action.start(async (signal) => {
      const body: ConfigChange = { upstream, path, value: null };
      onSaved(await post<ConfigReport>("/api/config", body, signal), `Taken back: ${path}.`);
    });
  const { problem } = action;
  return (
    <>
      <button type="button" class="small" disabled={action.isBusy} onClick={send}>
        {action.isBusy ? "Taking it back…" : "Take it back"}
        <span class="unseen"> {path}</span>
      </button>
      {problem === undefined ? null : (
        <span class="field-problem" role="alert">{`${problem.message} ${problem.remedy}`}</span>
      )}
    </>
  );
}
