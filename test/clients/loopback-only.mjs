// Loaded in front of every client that is a Node program: a connection to anything but this machine is refused, and the
// address goes into the file that LAB_REFUSED names. Clients report usage, look for updates and fetch model lists; none of
// this may leave the machine.

import { appendFileSync } from "node:fs";
import { Socket, isIP } from "node:net";

// oxlint-disable-next-line typescript/unbound-method -- it is applied to each socket below
const connect = Socket.prototype.connect;

const isHere = (host) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

Socket.prototype.connect = function connectHere(...given) {
  // Node's own callers pass the arguments as one array: [options, callback].
  const [first, second] = Array.isArray(given[0]) ? given[0] : given;
  const isPort = typeof first === "number" || (typeof first === "string" && /^\d+$/.test(first));
  const options = typeof first === "object" && first !== null ? first : {};
  const host = isPort ? (typeof second === "string" ? second : "localhost") : (options.host ?? "localhost");
  const isPath = options.path !== undefined || (typeof first === "string" && !isPort);
  if (isPath || isHere(host)) return connect.apply(this, given);
  if (process.env["LAB_REFUSED"]) appendFileSync(process.env["LAB_REFUSED"], `${host}\n`);
  process.nextTick(() => this.destroy(new Error(`The laboratory reaches loopback alone, not ${host}`)));
  return this;
};
