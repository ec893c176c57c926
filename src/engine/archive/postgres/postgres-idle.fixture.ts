// Uses a store and neither closes it nor waits for anything else: the process must end by itself. With a second argument
// a store that keeps nothing is a failure.

import { postgresStore } from "./postgres-store.ts";

const store = postgresStore(process.argv[2] ?? "");
const { entry } = await store.put("a", ["[1]"]).catch(() => ({ entry: undefined }));
// The answer to a statement still on its way must arrive before the process ends.
if (entry !== undefined && (await store.get("a", entry.hash)) === undefined) process.exitCode = 1;
if (entry === undefined && process.argv[3] === "must") process.exitCode = 1;
