// A process that adds to a ledger as often as it is told, one call at a time.
import { addToLedger } from "../../src/doors/gateway/ledger/ledger-file.ts";

const [path = "", server = "", times = "0"] = process.argv.slice(2);
const counts = {
  day: "2026-11-19",
  calls: 1,
  tokens_in: 10,
  tokens_out: 4,
  is_estimated: false,
  cuts: 0,
  retrievals: 0,
  errors_repaired: 0,
};
for (let at = 0; at < Number(times); at++) {
  await addToLedger(
    path,
    [
      { ...counts, server },
      { ...counts, server: "shared" },
    ],
    60_000,
  );
}
