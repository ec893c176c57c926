import { useState } from "preact/hooks";
import type { ClientsReport } from "../../src/doors/gateway/dashboard/protocol/places.ts";
import { useGet } from "../live/api.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";

/** How a client gets to a gateway over HTTP: what its own file needs, for each client that `wrap` knows. */
export function ClientSetup() {
  const { value, problem, again } = useGet<ClientsReport>("/api/clients");
  const [name, setName] = useState<string | undefined>(undefined);
  if (problem !== undefined) return <ErrorState problem={problem} again={again} />;
  if (value === undefined) return <Loading what="Looking up the clients" />;
  const chosen = value.clients.find((client) => client.name === name) ?? value.clients[0];
  if (chosen === undefined) return null;
  const { file, text } = chosen;
  return (
    <>
      <label class="inline-choice">
        <span>Client</span>
        <select value={chosen.name} onChange={(event) => setName(event.currentTarget.value)}>
          {value.clients.map((client) => (
            <option key={client.name} value={client.name}>
              {client.name}
            </option>
          ))}
        </select>
      </label>
      {text === undefined ? (
        <p>
          It takes servers only as commands: <code>waybill wrap</code> puts the gateway in front of those in
          its file{file === undefined ? "" : ", "}
          {file === undefined ? null : <code>{file}</code>}.
        </p>
      ) : (
        <CodeBlock label={file ?? "Configuration of the client"} text={text} />
      )}
    </>
  );
}
