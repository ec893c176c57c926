// What the overview and the list of calls say before the first call: how a client gets here.

import type { Hello } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { linkTo } from "../app/route.ts";
import { EmptyState } from "../ui/states.tsx";
import { ClientSetup } from "./client-setup.tsx";

/** Nothing has passed yet, and what to do. */
export function FirstCall({ hello }: { readonly hello: Hello }) {
  const isReached = hello.transport === "http" && Object.keys(hello.urls).length > 0;
  return (
    <EmptyState title="No call has passed yet.">
      {isReached ? (
        <>
          <p>
            Point a client at the gateway: add this to its configuration, start it again and ask for something
            that needs a tool. The call appears here by itself.
          </p>
          <ClientSetup />
        </>
      ) : (
        <p>
          A client has started this gateway and talks to it over its standard input and output. Ask it for
          something that needs a tool, and the call appears here by itself.
        </p>
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
