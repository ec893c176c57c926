import { type Machine, thisMachine } from "../../state-folder.ts";
import { usualFiles } from "../../wrap/client-configs.ts";
import { clientNames, urlEntries } from "../../wrap/url-entries.ts";
import type { ApiRoute, WatchedGateway } from "../dashboard-parts.ts";
import type { ClientsReport } from "../protocol/places.ts";

/** The clients that `wrap` knows, each with what its file needs to reach this gateway. */
function clientsReport({ urls: urlsOf }: WatchedGateway, machine: Machine): ClientsReport {
  const files = usualFiles(machine);
  const urls = urlsOf();
  const known = clientNames.map((name) => ({
    name,
    file: shortPath(files.get(name), machine),
    text: urlEntries(name, urls),
  }));
  return { clients: [{ name: "Any other", text: urlEntries(undefined, urls) }, ...known] };
}

function shortPath(path: string | undefined, { home }: Machine): string | undefined {
  return home !== undefined && path?.startsWith(home) === true ? `~${path.slice(home.length)}` : path;
}

/** `GET /api/clients`. */
export function clientRoutes(gateway: WatchedGateway, machine: Machine = thisMachine()): readonly ApiRoute[] {
  return [{ method: "GET", path: "/api/clients", answer: () => clientsReport(gateway, machine) }];
}
