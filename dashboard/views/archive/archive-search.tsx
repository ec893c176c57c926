import { useState } from "preact/hooks";
import type { ArchiveHits } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import { ShortHash } from "../../archived/verdict.tsx";
import { post } from "../../live/api.ts";
import { hello } from "../../live/page-state.ts";
import { useAction } from "../../live/use-action.ts";
import { formatMany } from "../../text/figures.ts";
import { Field } from "../../ui/field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ErrorState, SwitchedOff } from "../../ui/states.tsx";
import { linkToEntry } from "./archive-entry.tsx";

/** What tenants are called, by their keys. */
type TenantNames = ReadonlyMap<string, string>;

function Hits({ found, names }: { readonly found: ArchiveHits; readonly names: TenantNames }) {
  const searched = formatMany(found.searched, "entry", "entries");
  return (
    <div class="stack" role="status">
      <p class="quiet">
        {found.hits.length === 0 ? "Nothing found" : `Found at ${formatMany(found.hits.length, "place")}`} in{" "}
        {searched}.
        {found.isComplete
          ? ""
          : " There are more: the search ended at its limit. Name a tenant, or use rarer words."}
      </p>
      <ul class="hits">
        {found.hits.map(({ hash, tenantKey, place, excerpt }, at) => (
          <li key={at}>
            <p>
              <a href={linkToEntry({ tenantKey, hash })}>
                <ShortHash hash={hash} />
              </a>{" "}
              <code class="quiet">{place}</code>{" "}
              <span class="quiet">of {names.get(tenantKey) ?? tenantKey.slice(0, 12)}</span>
            </p>
            <p class="excerpt">{excerpt}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Searches inside what is kept. */
export function ArchiveSearch({
  tenantKey,
  names,
}: {
  readonly tenantKey: string;
  readonly names: TenantNames;
}) {
  const [words, setWords] = useState("");
  const action = useAction<ArchiveHits>();
  const body = tenantKey === "" ? { words } : { words, tenantKey };
  return (
    <Panel title="Search inside">
      {hello.value?.hasBodies === true ? (
        <div class="stack">
          <form
            class="ask"
            onSubmit={(event) => {
              event.preventDefault();
              if (words.trim() !== "")
                action.start((signal) => post<ArchiveHits>("/api/archive/search", body, signal));
            }}
          >
            <Field
              label="Words"
              hint='All must occur in an entry, in any order; parts of words count, case does not. Words in "quotes" must be side by side.'
            >
              {(ties) => (
                <input
                  {...ties}
                  type="search"
                  value={words}
                  autocomplete="off"
                  onInput={(event) => setWords(event.currentTarget.value)}
                />
              )}
            </Field>
            <button type="submit" class="primary" disabled={action.isBusy || words.trim() === ""}>
              {action.isBusy ? "Searching…" : "Search"}
            </button>
          </form>
          {action.problem === undefined ? null : <ErrorState problem={action.problem} />}
          {action.value === undefined ? null : <Hits found={action.value} names={names} />}
        </div>
      ) : (
        <SwitchedOff what="Searching inside archived content" flag="--dashboard-bodies" />
      )}
    </Panel>
  );
}
