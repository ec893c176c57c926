import { hasChromium } from "./chromium.fixture.ts";
import { hasCurl } from "./curl.fixture.ts";
import { hasKeyring } from "./keyring.fixture.ts";
import { hasPostgres } from "./postgres.fixture.ts";
import { hasPromtool } from "./promtool.fixture.ts";
import { hasPython } from "./python.fixture.ts";
import { hasOpenssl, hasRedis } from "./redis.fixture.ts";

/**
 * Runs once before the tests. Says in one line each which service the run has to do without; where services are
 * required (WAYBILL_REQUIRE_SERVICES=1), a missing one ends the run.
 */
export function setup(): void {
  const missing = [
    ...(hasRedis() ? [] : ["redis-server is not installed: tests that need Redis are skipped."]),
    ...(hasPostgres()
      ? []
      : [
          "PostgreSQL (initdb, and a user postgres for root) is not installed: tests that need it are skipped.",
        ]),
    ...(hasCurl() ? [] : ["curl is not installed: tests of the gateway with it are skipped."]),
    ...(hasOpenssl() ? [] : ["openssl is not installed: tests of Redis over TLS are skipped."]),
    ...(hasPython()
      ? []
      : ["python3 (3.9 or newer) is not installed: tests of the Python servers are skipped."]),
    ...(hasChromium()
      ? []
      : ["Chromium is not installed (CHROMIUM_PATH names one): tests that need a browser are skipped."]),
    ...(hasKeyring()
      ? []
      : ["gnome-keyring (or dbus) is not installed: tests of logins beside a keyring are skipped."]),
    ...(hasPromtool()
      ? []
      : ["promtool is not installed (the package prometheus has it): the alerts are read, but not tried."]),
  ];
  if (missing.length === 0) return;
  if (process.env["WAYBILL_REQUIRE_SERVICES"] === "1") throw new Error(missing.join(" "));
  process.stderr.write(`${missing.join("\n")}\n`);
}
