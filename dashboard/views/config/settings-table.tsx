import { useRef, useState } from "preact/hooks";
import type {
  ConfigReport,
  SettingView,
  UpstreamConfigView,
} from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import type { JsonValue } from "../../../src/core/json/json-value.ts";
import { hello } from "../../live/page-state.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { EditSetting } from "./edit-setting.tsx";
import { TakeBack } from "./take-back.tsx";

function Value({ value }: { readonly value: JsonValue }) {
  if (value === null) return <span class="quiet">not set</span>;
  const text =
    typeof value === "number"
      ? value.toLocaleString("en")
      : typeof value === "string"
        ? value
        : JSON.stringify(value);
  return <code class="setting-value">{text}</code>;
}

/** The settings of one upstream; those that can be changed have a button. */
export function SettingsTable({
  of,
  caption,
  settings,
  onSaved,
}: {
  readonly of: UpstreamConfigView;
  /** Whose settings they are. */
  readonly caption: string;
  readonly settings: readonly SettingView[];
  /** Hears what was answered, and what to say of it. */
  readonly onSaved: (report: ConfigReport, says: string) => void;
}) {
  const [edited, setEdited] = useState<string | undefined>(undefined);
  // Where the keyboard goes on when a form or button has gone: the button of the same row.
  const returnTo = useRef<string | undefined>(undefined);
  const canChange = hello.value?.hasActions === true;
  if (settings.length === 0) return null;
  const columns: readonly Column<SettingView>[] = [
    { head: "Setting", sortBy: ({ path }) => path, cell: ({ path }) => <code>{path}</code> },
    {
      head: "Value",
      cell: (setting) =>
        edited === setting.path && setting.change !== undefined ? (
          <EditSetting
            upstream={of.upstream}
            setting={setting}
            change={setting.change}
            onSaved={onSaved}
            onClose={() => {
              returnTo.current = setting.path;
              setEdited(undefined);
            }}
          />
        ) : (
          <span class="badges">
            <Value value={setting.value} />
            {canChange && setting.change !== undefined ? (
              <button
                type="button"
                class="small"
                ref={(button) => {
                  if (button === null || returnTo.current !== setting.path) return;
                  returnTo.current = undefined;
                  button.focus();
                }}
                onClick={() => setEdited(setting.path)}
              >
                Change<span class="unseen"> {setting.path}</span>
              </button>
            ) : null}
            {canChange && setting.origin === "page" ? (
              <TakeBack
                upstream={of.upstream}
                path={setting.path}
                onSaved={(report, says) => {
                  returnTo.current = setting.path;
                  onSaved(report, says);
                }}
              />
            ) : null}
          </span>
        ),
    },
    {
      head: "Comes from",
      sortBy: ({ origin }) => origin,
      cell: ({ origin }) =>
        origin === "page" ? (
          <Badge tone="warn">the dashboard</Badge>
        ) : (
          <Badge tone={origin === "default" ? "quiet" : "plain"}>{origin}</Badge>
        ),
    },
  ];
  return (
    <Table
      isCards
      caption={`Settings of ${caption}`}
      columns={columns}
      rows={settings}
      keyOf={({ path }) => path}
    />
  );
}
