/* oxlint-disable vitest/expect-expect -- here the compiler asserts */
import { describe, expectTypeOf, it } from "vitest";
import { createGateway } from "./create-gateway.ts";
import type { UpstreamOptions } from "./gateway-options.ts";

/** Compiled, never run. */
function compiled(_options: () => unknown): void {}

describe("an upstream", () => {
  it("has a command, or a url", () => {
    compiled(() =>
      createGateway({ upstreams: { a: { command: "node", args: ["server.js"], hide: ["x"] } } }),
    );
    compiled(() =>
      createGateway({ upstreams: { a: { url: "https://a.example/mcp", headers: { "X-Key": "k" } } } }),
    );
  });

  it("cannot have both", () => {
    // @ts-expect-error -- a server is reached in one way
    compiled(() => createGateway({ upstreams: { a: { command: "node", url: "https://a.example/mcp" } } }));
    // @ts-expect-error -- a command gets no HTTP request
    compiled(() => createGateway({ upstreams: { a: { command: "node", headers: { "X-Key": "k" } } } }));
    // @ts-expect-error -- a server behind a url is not started
    compiled(() => createGateway({ upstreams: { a: { url: "https://a.example/mcp", args: ["-y"] } } }));
  });

  it("is told apart by its url", () => {
    const reach = (upstream: UpstreamOptions): string =>
      upstream.url === undefined ? upstream.command : upstream.url;
    expectTypeOf(reach).returns.toEqualTypeOf<string>();
  });
});
