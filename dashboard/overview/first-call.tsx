// What the overview and the list of calls say before the first call: how a client gets here.

import type { Hello } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { linkTo } from "../app/route.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { EmptyState } from "../ui/states.tsx";
import { clientConfiguration } from "./client-configuration.ts";

/** Nothing has passed yet, and what to do. */
export function FirstCall({ hello }: { readonly hello: Hello }) {
  const configuration = clientConfiguration(hello);
  return (
    <EmptyState title="No call has passed yet.">
      {configuration === undefined ? (
        <p>
          A client has started this gateway and talks to it over its standard input and output. Ask it for
          something that needs a tool, and the call appears here by itself.
        </p>
      ) : (
        <>
          <p>
            Point a client at the gateway: add this to its configuration, start it again and ask for something
            that needs a tool. The call appears here by itself.
          </p>
          <CodeBlock label="Configuration of the client" text={configuration} />
        </>
      )}
      <p>
        {hello.hasActions ? (
          <a class="button primary" href={linkTo("tools")}>
            Call a tool from this page
          </a>
        ) : (
          <>
            With <code>--dashboard-actions</code> tools can be called from this page too.
          </>
        )}
      </p>
    </EmptyState>
  );
}
