import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { resolveConfig } from "../../src/engine/settings/resolve-config.ts";
import { publicAddressProblems } from "../../src/doors/gateway/auth/auth-options.ts";
import { readGatewayConfig } from "../../src/doors/gateway/config/read-gateway-config.ts";
import {
  compose,
  containerOf,
  dockerfile,
  filledArgs,
  kubernetes,
  objectOf,
  read,
  wordsOf,
} from "./deploy-files.fixture.ts";

const token = "0123456789abcdef0123456789abcdef";
const packageJson = JSON.parse(read("package.json")) as {
  bin: Record<string, string>;
};

/** The options of a gateway, from the text of a configuration and the variables that its manifest sets. */
function optionsOf(text: string, variables: readonly string[]) {
  const environment = Object.fromEntries(variables.map((name) => [name, token]));
  const loaded = { ...resolveConfig({ waybill: { file: "gateway.json", text }, environment }), files: [] };
  return { ...readGatewayConfig(loaded, environment), store: loaded.settings.store?.place };
}

describe("the Dockerfile", () => {
  it("copies what is shipped beside it", () => {
    const copied = dockerfile()
      .filter(({ name }) => name === "COPY")
      .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1))
      .filter((path) => path !== "waybill-*.tgz");
    expect(copied).toEqual(["gateway.json"]);
    expect(copied.filter((path) => !existsSync(`deploy/${path}`))).toEqual([]);
  });

  it("installs the archive that is beside it, else the version of npm that it names", () => {
    const run = dockerfile().find(({ rest }) => rest.includes("npm install --global"))?.rest ?? "";
    const [find = "", install = ""] = run.split(" && ");
    const [, named = ""] = /WAYBILL=(\S+)/.exec(read("deploy/Dockerfile")) ?? [];
    expect(named).toMatch(/^waybill@\d+\.\d+\.\d+$/);
    const folder = mkdtempSync(join(tmpdir(), "waybill-image-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const script = `npm() { echo "$3"; }; ${find} && ${install}`.replaceAll("/tmp/waybill", folder);
    const installed = (): string =>
      execFileSync("sh", ["-c", script], {
        env: { ...process.env, WAYBILL: named },
        encoding: "utf8",
      }).trim();
    expect(installed()).toBe(named);
    writeFileSync(join(folder, "waybill-9.9.9.tgz"), "");
    expect(installed()).toBe(join(folder, "waybill-9.9.9.tgz"));
  });

  it("starts the package's own command as somebody who is not root", () => {
    const [command = ""] = wordsOf("ENTRYPOINT");
    expect(packageJson.bin[command]).toBeDefined();
    expect(dockerfile().findLast(({ name }) => name === "USER")?.rest).toBe("node");
    // What collects logs of containers reads JSON.
    expect(wordsOf("CMD").slice(0, 4)).toEqual(["gateway", "--log", "json", "--config"]);
    const config = wordsOf("CMD").at(-1) ?? "";
    expect(dockerfile().some(({ name, rest }) => name === "RUN" && rest.includes(` ${config} `))).toBe(true);
  });

  it("brings the peers that the package needs", () => {
    const { peerDependencies } = JSON.parse(read("package.json")) as {
      peerDependencies: Record<string, string>;
    };
    const install = dockerfile().find(({ rest }) => rest.includes("npm install --global"))?.rest ?? "";
    for (const peer of ["zod", "@redis/client", "pg"]) {
      const [major] = /\d+/.exec(peerDependencies[peer] ?? "") ?? [];
      expect(install).toContain(`${peer}@${major}`);
    }
  });
});

describe("deploy/compose.yaml", () => {
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
    expect(mounted.filter((path) => !existsSync(join("deploy", path)))).toEqual([]);
  });
});

describe("Redis", () => {
  const deployed = containerOf(objectOf("StatefulSet", "waybill-redis"));

  it("has a limit beside its policy, which the memory of its container holds", () => {
    for (const words of [compose().services["redis"]?.command ?? [], deployed.args]) {
      expect(words[words.indexOf("--maxmemory-policy") + 1]).toBe("volatile-ttl");
      expect(words[words.indexOf("--maxmemory") + 1]).toBe("1gb");
    }
    expect(deployed.resources.limits["memory"]).toBe("2Gi");
  });

  it("is reached on Kubernetes by the gateway alone, with the password of the secret that both have", () => {
    const gateway = containerOf(objectOf("Deployment", "waybill-gateway"));
    const of = ({ env = [] }: typeof gateway, wanted: string) =>
      env.find(({ name }) => name === wanted)?.valueFrom?.secretKeyRef;
    expect(of(deployed, "REDISCLI_AUTH")).toEqual({ name: "waybill", key: "redis" });
    expect(of(gateway, "REDIS_PASSWORD")).toEqual({ name: "waybill", key: "redis" });
    expect(filledArgs(deployed, { REDISCLI_AUTH: "x" }).join(" ")).toContain("--requirepass x ");
    const { spec } = objectOf("NetworkPolicy", "waybill-redis");
    expect(spec).toMatchObject({
      podSelector: { matchLabels: { app: "waybill-redis" } },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: { app: "waybill-gateway" } } }],
          ports: [{ protocol: "TCP", port: 6379 }],
        },
      ],
      egress: [],
    });
    expect(read("deploy/kubernetes.yaml")).toContain("--from-literal=redis=");
  });
});

describe("the images and what they may take", () => {
  const containers = [
    containerOf(objectOf("Deployment", "waybill-gateway")),
    containerOf(objectOf("StatefulSet", "waybill-redis")),
  ];

  it("are named by a whole version or a digest", () => {
    const images = [...containers, ...Object.values(compose().services)].map(({ image }) => image);
    expect(images.filter((image) => !/(:\d+\.\d+\.\d+|@sha256:[0-9a-f]{64})$/.test(image))).toEqual([]);
  });

  it("have requests and limits of processor and memory on Kubernetes", () => {
    for (const { resources } of containers)
      for (const part of [resources.requests, resources.limits])
        expect(Object.keys(part).sort()).toEqual(["cpu", "memory"]);
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
    const { name } = objectOf("Service", "waybill-redis").metadata;
    const words = filledArgs(container, { REDIS_PASSWORD: "x" });
    expect(words[words.indexOf("--store") + 1]).toBe(`redis://:x@${name}:6379`);
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
