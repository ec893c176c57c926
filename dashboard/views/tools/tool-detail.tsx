import type { ToolView, UpstreamTools } from "../../../src/doors/gateway/dashboard/protocol/places.ts";
import type { JsonValue } from "../../../src/core/json/json-value.ts";
import { linkTo } from "../../app/route.ts";
import { SchemaOutline } from "../../form/schema-outline.tsx";
import { formatCount, formatMany, formatMs, formatShare } from "../../text/figures.ts";
import { Badge, type Tone } from "../../ui/badge.tsx";
import { Panel, ViewHead } from "../../ui/panel.tsx";
import { CallForm } from "./call-form.tsx";

const manners: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ["only reads", "may change things"],
  destructiveHint: ["may destroy", "destroys nothing"],
  idempotentHint: ["safe to repeat", "not safe to repeat"],
  openWorldHint: ["reaches the outside world", "stays in its own world"],
};

function toneOf(name: string, value: JsonValue): Tone {
  if (name === "destructiveHint") return value === true ? "warn" : "quiet";
  return name === "readOnlyHint" && value === true ? "good" : "quiet";
}

function Hints({ tool }: { readonly tool: ToolView }) {
  const told = Object.entries(tool.annotations ?? {}).flatMap(([name, value]) => {
    const words = Object.hasOwn(manners, name) ? manners[name] : undefined;
    return words === undefined || typeof value !== "boolean"
      ? []
      : [{ name, value, says: words[value ? 0 : 1] }];
  });
  if (told.length === 0) return <p class="quiet">The server says nothing of how the tool behaves.</p>;
  return (
    <p class="badges">
      {told.map(({ name, value, says }) => (
        <Badge key={name} tone={toneOf(name, value)}>
          {says}
        </Badge>
      ))}
    </p>
  );
}

function Costs({ tool, of }: { readonly tool: ToolView; readonly of: UpstreamTools }) {
  const { typical } = tool;
  return (
    <dl class="facts">
      <div>
        <dt>Definition</dt>
        <dd>
          {formatMany(tool.tokens, "token")}{" "}
          <span class="quiet">{formatShare(tool.tokens, of.tokens)} of the list</span>
        </dd>
      </div>
      {typical === undefined ? (
        <div>
          <dt>Typical result</dt>
          <dd class="quiet">no calls yet</dd>
        </div>
      ) : (
        <>
          <div>
            <dt>Typical result</dt>
            <dd>
              {typical.isEstimated ? "≈ " : ""}
              {formatCount(typical.tokensIn)} → {formatMany(typical.tokensOut, "token")}
            </dd>
          </div>
          <div>
            <dt>Calls</dt>
            <dd>
              {formatCount(typical.calls)} <span class="quiet">{formatCount(typical.failed)} failed</span>
            </dd>
          </div>
          <div>
            <dt>The server takes</dt>
            <dd>{formatMs(typical.serverMs)}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

/** One tool: what it says of itself, what it costs, and a form that calls it. */
export function ToolDetail({
  of,
  tool,
  onCalled,
}: {
  readonly of: UpstreamTools;
  readonly tool: ToolView;
  readonly onCalled: () => void;
}) {
  return (
    <>
      <ViewHead
        title={tool.name}
        says={`${of.upstream}${tool.title === undefined ? "" : ` · ${tool.title}`}`}
      >
        <a class="button" href={linkTo("traffic", { tool: `${of.upstream}/${tool.name}` })}>
          Its calls
        </a>
        <a class="button" href={linkTo("tools")}>
          All tools
        </a>
      </ViewHead>
      <div class="facts-frame">
        <Hints tool={tool} />
        <Costs tool={tool} of={of} />
      </div>
      <div class="two-columns">
        <CallForm upstream={of.upstream} tool={tool} onCalled={onCalled} />
        <div class="stack wide">
          <Panel title="What the model reads">
            <p class="prose">{tool.description ?? "The server gives no description."}</p>
          </Panel>
          <Panel title="Arguments">
            <SchemaOutline
              schema={tool.inputSchema}
              label="inputSchema"
              none="This tool takes no arguments."
            />
          </Panel>
          {tool.outputSchema === undefined ? null : (
            <Panel title="Result" note="as clients are told">
              <SchemaOutline
                schema={tool.outputSchema}
                label="outputSchema"
                none="An object, not described further."
              />
            </Panel>
          )}
        </div>
      </div>
    </>
  );
}
