import { type ExampleCall, exampleCalls, fixtureOf } from "./seed-examples.ts";

function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}

/** What a call needs besides its arguments: `_meta`, environment, a header, earlier calls. */
function besides(example: ExampleCall): string {
  const { contract, request_id: id, environment = {}, token, before, next_page: isNext } = example;
  const meta = {
    ...(contract === undefined ? {} : { "waybill/contract": contract }),
    ...(id === undefined ? {} : { "waybill/request_id": id }),
  };
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return [
    ...(Object.keys(meta).length > 0 ? [code(`_meta ${JSON.stringify(meta)}`)] : []),
    ...variables.map(code),
    ...(token === undefined ? [] : [`over HTTP ${code(`Authorization: Bearer ${token}`)}`]),
    ...(before === undefined ? [] : [`after ${before} such call${before === 1 ? "" : "s"}`]),
    ...(isNext === true ? ["with the `cursor` of the first page"] : []),
  ].join("; ");
}

function rowOf(example: ExampleCall): string {
  const { seed, line, dialect } = fixtureOf(example.file);
  const place = `${seed} L${line}`;
  const cells = [
    place,
    dialect,
    code(example.tool),
    code(JSON.stringify(example.arguments)),
    besides(example),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The table of the workshop's README, in the order of the seeds. */
export function readmeTable(): string {
  const sorted = exampleCalls.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const head = "| seed line | dialect | tool | arguments | `_meta`, environment or header |";
  return [head, "| --- | --- | --- | --- | --- |", ...sorted.map(rowOf)].join("\n");
}
