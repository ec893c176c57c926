import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  ConfigChange,
  ConfigReport,
  SettingChange,
  SettingView,
} from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { post } from "../../live/api.ts";
import { useAction } from "../../live/use-action.ts";
import { Field } from "../../ui/field.tsx";
import { readSetting, writeSetting } from "./setting-text.ts";

function hintOf(change: SettingChange): string {
  switch (change.kind) {
    case "number": {
      const least = change.min.toLocaleString("en");
      const isOpen = change.max >= Number.MAX_SAFE_INTEGER;
      const range = isOpen ? `At least ${least}` : `${least} to ${change.max.toLocaleString("en")}`;
      return change.canBeOff === true ? `${range}, or off` : range;
    }
    case "fields":
      return "Names of fields, one on each line or with commas, as items[*].id. Nothing: no filter.";
    case "choice":
    default:
      return "";
  }
}

interface EditProps {
  readonly upstream: string;
  readonly setting: SettingView;
  readonly change: SettingChange;
  readonly onSaved: (report: ConfigReport, says: string) => void;
  readonly onClose: () => void;
}

/** Changes one setting until the gateway ends. */
export function EditSetting({ upstream, setting, change, onSaved, onClose }: EditProps) {
  const [text, setText] = useState(writeSetting(setting.value));
  const [isTried, setTried] = useState(false);
  const action = useAction<void>();
  const form = useRef<HTMLFormElement>(null);
  // Not by `autofocus`: browsers heed it once for a page.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>("input, select, textarea")?.focus(), []);
  const read = readSetting(change, text);
  const own = "says" in read && isTried ? read.says : undefined;
  const problem =
    own ?? (action.problem === undefined ? undefined : `${action.problem.message} ${action.problem.remedy}`);
  const send = (value: ConfigChange["value"]): void =>
    action.start(async (signal) => {
      const body: ConfigChange = { upstream, path: setting.path, value };
      onSaved(await post<ConfigReport>("/api/config", body, signal), `Saved: ${setting.path}.`);
      onClose();
    });
  const hint = hintOf(change);
  return (
    <form
      ref={form}
      class="edit-setting"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if ("value" in read) send(read.value);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <Field
        label={<span class="unseen">{setting.path}</span>}
        hint={hint === "" ? undefined : hint}
        problem={problem}
      >
        {(ties) =>
          change.kind === "choice" ? (
            <select {...ties} value={text} onChange={(event) => setText(event.currentTarget.value)}>
              {change.choices.map((choice) => (
                <option key={choice} value={choice}>
                  {choice}
                </option>
              ))}
            </select>
          ) : change.kind === "fields" ? (
            <textarea
              {...ties}
              rows={3}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          ) : (
            <input
              {...ties}
              inputMode="decimal"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )
        }
      </Field>
      <p class="badges">
        <button type="submit" class="small primary" disabled={action.isBusy}>
          {action.isBusy ? "Saving…" : "Save"}
        </button>
        <button type="button" class="small" onClick={onClose}>
          Cancel
        </button>
      </p>
    </form>
  );
}
