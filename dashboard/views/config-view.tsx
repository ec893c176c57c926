import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ConfigReport, SettingView } from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { useGet } from "../live/api.ts";
import { configChanges, hello } from "../live/page-state.ts";
import { formatMany } from "../text/figures.ts";
import { Panel, ViewHead } from "../ui/panel.tsx";
import { Segments } from "../ui/segments.tsx";
import { EmptyState, ErrorState, Loading, SwitchedOff } from "../ui/states.tsx";
import { groupSettings } from "./config/group-settings.ts";
import { SettingsTable } from "./config/settings-table.tsx";

const kinds = ["all", "set", "changeable"] as const;
type Kind = (typeof kinds)[number];
const kindNames = { all: "All", set: "Not default", changeable: "Can be changed" } as const;

function fits(setting: SettingView, words: string, kind: Kind): boolean {
  if (kind === "set" && setting.origin === "default") return false;
  if (kind === "changeable" && setting.change === undefined) return false;
  return setting.path.toLowerCase().includes(words.trim().toLowerCase());
}

function headline({ files }: ConfigReport): string {
  return files.length === 0 ? "No configuration file was read." : `Read from ${files.join(", ")}.`;
}

/** The settings of one tool, folded: a server may have dozens of tools with six settings each. */
function ToolSettings({
  tool,
  settings,
  isOpen,
  children,
}: {
  readonly tool: string;
  readonly settings: readonly SettingView[];
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}) {
  const [isPressed, setPressed] = useState(false);
  const isShown = isPressed || isOpen;
  return (
    <details
      class="tool-settings"
      open={isShown}
      onToggle={(event) => {
        if (!isOpen) setPressed(event.currentTarget.open);
      }}
    >
      <summary>
        {tool} <span class="quiet">{formatMany(settings.length, "setting")}</span>
      </summary>
      {isShown ? children : null}
    </details>
  );
}

/** Every setting that is in force, and where it comes from. */
export function ConfigView() {
  const { value, problem, again } = useGet<ConfigReport>("/api/config", configChanges.value);
  const [saved, setSaved] = useState<ConfigReport | undefined>(undefined);
  const [said, setSaid] = useState("");
  const [words, setWords] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  // What a change answered is newer than what was asked for before; the next answer replaces it.
  useEffect(() => setSaved(undefined), [value]);
  const report = saved ?? value;
  const take = (answer: ConfigReport, says: string): void => {
    setSaved(answer);
    setSaid(says);
  };
  return (
    <>
      <ViewHead title="Config" says={report === undefined ? undefined : headline(report)}>
        <input
          type="search"
          class="filter"
          aria-label="Filter by name"
          placeholder="Filter by name"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <Segments
          label="Which settings"
          values={kinds}
          value={kind}
          nameOf={(one) => kindNames[one]}
          onChoose={setKind}
        />
      </ViewHead>
      <p class="unseen" role="status">
        {said}
      </p>
      {problem === undefined ? null : <ErrorState problem={problem} again={again} />}
      {report === undefined && problem === undefined ? <Loading what="Asking for the settings" /> : null}
      {report?.problems.map((one) => (
        <p key={one} class="note-warn" role="alert">
          {one}
        </p>
      ))}
      {report === undefined ? null : hello.value?.hasActions === true ? (
        <p class="quiet">
          {hello.value.replica === undefined
            ? "What you change here is used from the next call on and lasts until the gateway ends."
            : "What you change here is used by every replica within a second and lasts until a minute after the last of them ended."}{" "}
          To keep it, write it into the configuration file.
        </p>
      ) : (
        <SwitchedOff what="Changing settings" flag="--dashboard-actions" />
      )}
      {report?.upstreams.map((of) => {
        const settings = of.settings.filter((setting) => fits(setting, words, kind));
        return (
          <Panel key={of.upstream} title={of.upstream} note={formatMany(settings.length, "setting")} isFlush>
            {settings.length === 0 ? <p class="more quiet">No setting fits this filter.</p> : null}
            {groupSettings(settings).map(({ tool, settings: own }) =>
              tool === undefined ? (
                <SettingsTable key="" of={of} caption={of.upstream} settings={own} onSaved={take} />
              ) : (
                <ToolSettings key={tool} tool={tool} isOpen={words.trim() !== ""} settings={own}>
                  <SettingsTable of={of} caption={`${of.upstream} / ${tool}`} settings={own} onSaved={take} />
                </ToolSettings>
              ),
            )}
          </Panel>
        );
      })}
      {report?.upstreams.length === 0 ? <EmptyState title="This gateway has no server." /> : null}
    </>
  );
}
