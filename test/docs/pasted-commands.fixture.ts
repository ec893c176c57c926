import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./read-blocks.ts";

/** `waybill` and `npx` of this home run the source and the servers of node_modules; nothing is fetched. Gives their folder. */
export function writeCommands(home: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const waybill = `node --import ${root}node_modules/tsx/dist/loader.mjs ${root}src/cli/main.ts`;
  writeFileSync(join(bin, "waybill"), `#!/usr/bin/env bash\nexec ${waybill} "$@"\n`);
  writeFileSync(
    join(bin, "npx"),
    `#!/usr/bin/env bash
while [[ $1 == -* ]]; do [[ $1 == -p ]] && shift; shift; done
name=$1; shift
case $name in
  waybill) exec ${waybill} "$@" ;;
  @modelcontextprotocol/server-filesystem) exec node ${root}node_modules/$name/dist/index.js "$@" ;;
  *) echo "npx $name?" >&2; exit 9 ;;
esac
`,
  );
  for (const name of ["waybill", "npx"]) chmodSync(join(bin, name), 0o755);
  return bin;
}
