import { describe, expect, it } from "vitest";
import { createGateway } from "./create-gateway.ts";
import type { GatewayOptions } from "./gateway-options.ts";

const files = { command: "files" };
const token = "0123456789abcdef";

describe("createGateway", () => {
  it.each<[string, unknown, RegExp]>([
    ["no upstream", { upstreams: {} }, /names no server/],
    ["an unknown option", { upstreams: { files }, budgett: 1 }, /"budgett" is not a known key.*budget/],
    [
      "an unknown key of an upstream",
      { upstreams: { files: { ...files, agrs: [] } } },
      /"upstreams\.files\.agrs".*args/,
    ],
    [
      "a command and a URL",
      { upstreams: { files: { ...files, url: "https://a.example" } } },
      /both "command" and "url"/,
    ],
    ["neither", { upstreams: { files: {} } }, /neither "command" nor "url"/],
    ["a URL of another kind", { upstreams: { files: { url: "ftp://a" } } }, /begins with https:\/\//],
    ["a name that is no path", { upstreams: { "a/b": files } }, /cannot be part of an address/],
    [
      "an unknown prefix",
      { upstreams: { files, mail: files }, merge: { prefix: "never" } },
      /"merge\.prefix" is "never"/,
    ],
    [
      "an endpoint with the name of an upstream",
      { upstreams: { files, mail: files }, http: {}, endpoints: { mail: ["files"] } },
      /"endpoints\.mail" has the name of an upstream/,
    ],
    [
      "an endpoint of unknown upstreams",
      { upstreams: { files, mail: files }, http: {}, endpoints: { both: ["files", "post"] } },
      /"endpoints\.both" names "post", which is no upstream/,
    ],
    [
      "an endpoint that would hand a caller's token to several servers",
      {
        upstreams: { files, api: { url: "https://a.example", auth: "passthrough" } },
        http: {},
        endpoints: { both: ["files", "api"] },
      },
      /a caller's own token must not reach several servers/,
    ],
    [
      "a wrong budget",
      { upstreams: { files: { ...files, budget: { tokens: 0 } } } },
      /"upstreams\.files\.budget\.tokens" is 0/,
    ],
    [
      "tokens on stdio",
      { upstreams: { files: { ...files, auth: { gateway: { tokens: { ada: token } } } } } },
      /no effect on stdio/,
    ],
    [
      "passthrough to a command",
      { upstreams: { files: { ...files, auth: "passthrough" } }, http: {} },
      /a command takes no token/,
    ],
    [
      "a public address without tokens",
      { upstreams: { files }, http: { host: "0.0.0.0" } },
      /other machines can reach/,
    ],
    [
      "a short token",
      { upstreams: { files: { ...files, auth: { gateway: { tokens: { ada: "x" } } } } }, http: {} },
      /too short/,
    ],
    ["a dashboard that is no object", { upstreams: { files }, dashboard: true }, /"dashboard" is true/],
    [
      "an unknown option of the dashboard",
      { upstreams: { files }, dashboard: { action: true } },
      /"dashboard\.action" is not a known key.*actions/,
    ],
    [
      "a port that there is not",
      { upstreams: { files }, dashboard: { port: -1 } },
      /"dashboard\.port" is -1/,
    ],
    [
      "a checker that cannot be called",
      { upstreams: { files }, dashboard: { check: "yes" } },
      /"dashboard\.check" is not a function/,
    ],
    ["a profile that there is not", { upstreams: { files }, profile: 7 }, /"profile" is 7/],
  ])("refuses %s before it starts anything", (_what, options, reason) => {
    expect(() => createGateway(options as GatewayOptions)).toThrow(reason);
  });

  it("takes a public address with tokens, and shows no token where it refuses another option", () => {
    const secret = { gateway: { tokens: { ada: token } } };
    const http = { host: "0.0.0.0", port: 0 };
    expect(() => createGateway({ upstreams: { files: { ...files, auth: secret } }, http })).not.toThrow();
    const wrong = { upstreams: { files: { ...files, auth: secret, idleMs: -1 } }, http };
    expect(() => createGateway(wrong)).toThrow(/"upstreams\.files\.idleMs" is -1/);
    expect(() => createGateway(wrong)).not.toThrow(new RegExp(token));
  });
});
