import { expect } from "vitest";
import type { AnyClient } from "./attach-clients.fixture.ts";
import { type PublishedServer, notCalled } from "./published-servers.fixture.ts";

export interface CalledTools {
  readonly called: readonly string[];
  /** What the client did not take, and why. */
  readonly refused: readonly string[];
}

/** Lists the tools, so that the client checks results against their schemas, then calls every one. */
export async function callAllTools(
  client: AnyClient,
  server: PublishedServer,
  folder: string,
): Promise<CalledTools> {
  const given = server.calls(folder);
  const listed = (await client.listTools()).map(({ name }) => name);
  expect(listed).toEqual(expect.arrayContaining([...Object.keys(given), "waybill_retrieve"]));
  const rest = listed.filter((name) => !notCalled.includes(name) && given[name] === undefined);
  const refused: string[] = [];
  const called = [...Object.keys(given), ...rest];
  for (const name of called) {
    try {
      await client.call(name, given[name]);
    } catch (error) {
      refused.push(`${name} was refused: ${String(error)}`);
    }
  }
  return { called, refused };
}
