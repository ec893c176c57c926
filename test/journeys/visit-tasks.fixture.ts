// What callers of examples/fetch find, wherever the server runs.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

type Fetch = (request: Request) => Response | Promise<Response>;

export interface Visit {
  /** The status of a request without a token. */
  readonly withoutToken: number;
  readonly listed: unknown;
  /** The scope that a refusal names to somebody who only reads. */
  readonly missing: unknown;
  readonly added: unknown;
}

export const expectedVisit: Visit = {
  withoutToken: 401,
  listed: { titles: ["Implement login"] },
  missing: "tasks:write",
  added: { titles: ["Implement login", "Write it down"] },
};

/** Calls the server as two people: over the network, or by its function alone. */
export async function visitTasks(address: string, fetchWith: Fetch = fetch): Promise<Visit> {
  const send = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    fetchWith(new Request(url, init));
  const connect = async (token: string): Promise<Client> => {
    const client = new Client({ name: "visitor", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { fetch: send, requestInit }));
    return client;
  };
  const dataOf = ({ structuredContent }: { structuredContent?: unknown }): unknown =>
    (structuredContent as { data?: unknown } | undefined)?.data;
  const add = { name: "task_add", arguments: { title: "Write it down" } };

  const headers = { "content-type": "application/json" };
  const refused = await send(address, { method: "POST", headers, body: "{}" });
  const [ada, bo] = [await connect("token-of-ada"), await connect("token-of-bo")];
  try {
    const listed = dataOf(await ada.callTool({ name: "task_list", arguments: {} }));
    const missing: unknown = await ada.callTool(add).then(
      () => "nothing",
      (error: { requiredScope?: unknown }) => error.requiredScope,
    );
    return { withoutToken: refused.status, listed, missing, added: dataOf(await bo.callTool(add)) };
  } finally {
    await Promise.all([ada.close(), bo.close()]);
  }
}
