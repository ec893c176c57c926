import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { publicAddressProblems } from "../../src/doors/gateway/auth/auth-options.ts";
import { readGatewayConfig } from "../../src/doors/gateway/config/read-gateway-config.ts";
import {
  compose,
  containerOf,
  dockerfile,
  kubernetes,
  objectOf,
  read,
  wordsOf,
} from "./deploy-files.fixture.ts";

const token = "0123456789abcdef0123456789abcdef";
const packageJson = JSON.parse(read("package.json")) as {
  scripts: Record<string, string>;
  bin: Record<string, string>;
};

/** The options of a gateway, from the text of a configuration and the variables that its manifest sets. */
function optionsOf(text: string, variables: readonly string[]) {
  const environment = Object.fromEntries(variables.map((name) => [name, token]));
  const loaded = { ...resolveConfig({ waybill: { file: "gateway.json", text }, environment }), files: [] };
  return { ...readGatewayConfig(loaded, environment), store: loaded.settings.store?.place };
}

describe("the Dockerfile", () => {
  it("copies what is there and runs scripts that exist", () => {
    const copied = dockerfile()
      .filter(({ name, rest }) => name === "COPY" && !rest.startsWith("--from"))
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    const scripts = dockerfile().flatMap(({ rest }) =>
      [...rest.matchAll(/npm run (\S+)/g)].map(([, name]) => name),
    );
    expect(scripts.filter((name) => packageJson.scripts[name ?? ""] === undefined)).toEqual([]);
  });

  it("starts the package's own command as somebody who is not root", () => {
    const [command = ""] = wordsOf("ENTRYPOINT");
    expect(packageJson.bin[command]).toBeDefined();
    expect(dockerfile().findLast(({ name }) => name === "USER")?.rest).toBe("node");
    // What collects logs of containers reads JSON.
    expect(wordsOf("CMD").slice(0, 4)).toEqual(["gateway", "--log", "json", "--config"]);
    const config = wordsOf("CMD").at(-1) ?? "";
    expect(dockerfile().some(({ name, rest }) => name === "COPY" && rest.endsWith(config))).toBe(true);
  });

  it("brings the peers that the package needs", () => {
    const { peerDependencies } = JSON.parse(read("package.json")) as {
      peerDependencies: Record<string, string>;
    };
    const install = dockerfile().find(({ rest }) => rest.includes("npm install --global"))?.rest ?? "";
    for (const peer of ["zod", "@redis/client"]) {
      const [major] = /\d+/.exec(peerDependencies[peer] ?? "") ?? [];
      expect(install).toContain(`${peer}@${major}`);
    }
  });
});

describe("compose.yaml", () => {
  const { services } = compose();

  it("runs the image's command with a configuration that it sets all variables of", () => {
    expect(services["gateway"]?.command).toEqual(wordsOf("CMD"));
    const variables = Object.keys(services["gateway"]?.environment ?? {});
    const options = optionsOf(read("deploy/gateway.json"), variables);
    expect(publicAddressProblems(options)).toEqual([]);
    expect(options.store).toBe("redis://redis:6379");
    expect(Object.keys(services)).toContain("redis");
  });

  it("mounts files that exist", () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(":")[0] ?? "").filter((path) => path.startsWith(".")),
    );
    expect(mounted.length).toBeGreaterThan(0);
    expect(mounted.filter((path) => !existsSync(path))).toEqual([]);
  });
});

describe("deploy/kubernetes.yaml", () => {
  const deployment = objectOf("Deployment", "waybill-gateway");
  const container = containerOf(deployment);

  it("has objects with a kind and a name, and selectors that find their pods", () => {
    for (const { kind, metadata, spec } of kubernetes()) {
      expect([kind, metadata.name]).not.toContain(undefined);
      if (spec?.template === undefined) continue;
      expect(spec.template.metadata.labels).toMatchObject(spec.selector?.matchLabels ?? { none: "" });
    }
    const labels = kubernetes().map(({ spec }) => spec?.template?.metadata.labels["app"]);
    for (const { spec } of kubernetes().filter(({ kind }) => kind === "Service"))
      expect(labels).toContain(spec?.selector?.["app"]);
    const { scaleTargetRef } = objectOf("HorizontalPodAutoscaler", "waybill-gateway").spec ?? {};
    expect(scaleTargetRef).toMatchObject({ kind: "Deployment", name: deployment.metadata.name });
  });

  it("starts the gateway with the configuration that it mounts, for a store that it has", () => {
    const config = container.args.at(-1) ?? "";
    const { mountPath } = container.volumeMounts.find(({ name }) => name === "config") ?? { mountPath: "?" };
    const map = objectOf("ConfigMap", "waybill").data ?? {};
    expect(Object.keys(map).map((name) => `${mountPath}/${name}`)).toContain(config);
    const options = optionsOf(
      map["gateway.json"] ?? "",
      (container.env ?? []).map(({ name }) => name),
    );
    expect(publicAddressProblems(options)).toEqual([]);
    expect(options.http?.port).toBe(container.ports[0]?.containerPort);
    expect(options.store).toBe(`redis://${objectOf("Service", "waybill-redis").metadata.name}:6379`);
  });

  it("asks the paths and ports that the gateway answers on", () => {
    const ports = container.ports.map(({ name }) => name);
    for (const [probe, path] of [
      [container.livenessProbe, "/healthz"],
      [container.readinessProbe, "/readyz"],
    ] as const) {
      expect(probe?.httpGet.path).toBe(path);
      expect(ports).toContain(probe?.httpGet.port);
    }
  });
});

describe("the load balancers", () => {
  it("send a request of the modern era anywhere, and a caller of the legacy era always to the same replica", () => {
    expect(read("deploy/nginx.conf")).toMatch(/"2026-07-28" \$request_id;\s+default +"\$http_authorization/);
    const envoy = JSON.stringify(parse(read("deploy/envoy.yaml")));
    expect(envoy).toContain('"lb_policy":"RING_HASH"');
    expect(envoy).toMatch(/"exact":"2026-07-28".*"hash_policy":\[\{"header":\{"header_name":"authorization"/);
  });
});
