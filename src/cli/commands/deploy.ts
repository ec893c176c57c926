// Writes the files by which the gateway runs in containers: they are in the package, under deploy/.

import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { type CliIo, CliError, exitCodes, readVersion } from "../cli-io.ts";
import { isThere, writeAll } from "../output/write-files.ts";
import type { CommandReport } from "../report.ts";

export interface DeployCommandOptions {
  readonly force?: boolean | undefined;
}

/** What each file is; a file that is not named here is written all the same. */
const uses: Readonly<Record<string, string>> = {
  Dockerfile: "the gateway as an image",
  "compose.yaml": "two gateways on one Redis behind nginx, for one machine",
  "gateway.json": "their configuration",
  "nginx.conf": "their load balancer",
  "envoy.yaml": "the same load balancer for Envoy",
  "kubernetes.yaml": "replicas on one Redis, for Kubernetes",
  "alerts.yaml": "alerts for Prometheus",
};

/** Where the package has the files, whatever started this command. */
function source(): string {
  return join(dirname(createRequire(import.meta.url).resolve("waybill/package.json")), "deploy");
}

/** What is not for users: archives of a checkout, and tests of alerts. */
const isLeftOut = /\.tgz$|test/i;

/** The version that the shipped files name is that of the checkout; an installed package is installed in the image too. */
function forVersion(text: string, version: string): string {
  return text.replaceAll(
    /\b(waybill[@:])\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?/g,
    (_all, before: string) => before + version,
  );
}

function shippedFiles(version: string): ReadonlyMap<string, string> {
  const folder = source();
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !isLeftOut.test(entry.name))
    .map(({ name }) => name)
    .sort();
  return new Map(names.map((name) => [name, forVersion(readFileSync(join(folder, name), "utf8"), version)]));
}

const MAX_NAMED = 3;

function refuseThere(folder: string, names: readonly string[]): void {
  const there = names.filter((name) => isThere(join(folder, name)));
  if (there.length === 0) return;
  const more = there.length > MAX_NAMED ? ` and ${there.length - MAX_NAMED} more` : "";
  const named = there.slice(0, MAX_NAMED).join(", ");
  throw new CliError(`The folder ${basename(folder)} has ${named}${more} already. Nothing was written.`, {
    errorCode: "CONFLICT",
    remediation: "Give another folder, or --force to replace these files.",
  });
}

/** Writes the files into a folder, which may exist; it asks nothing and starts nothing. */
export function deploy(path: string, { force }: DeployCommandOptions, { cwd }: CliIo): CommandReport {
  const folder = resolve(cwd, path);
  const version = readVersion();
  const files = shippedFiles(version);
  const names = [...files.keys()];
  if (force !== true) refuseThere(folder, names);
  writeAll(folder, files, { what: "The files", replaces: force });
  const next = nextSteps(path, version);
  return {
    exitCode: exitCodes.fine,
    data: { folder, version, files: names, next: next.flatMap(({ commands }) => commands) },
    text: ({ bold, dim }) =>
      [
        `Wrote into ${bold(path)}:`,
        ...names.map((name) => `  ${name}${dim(uses[name] === undefined ? "" : `: ${uses[name]}`)}`),
        "",
        "Put your servers into gateway.json, or into the ConfigMap of kubernetes.yaml, and their packages into SERVERS. Then:",
        ...next.flatMap(({ where, commands }) => ["", where, ...commands.map((command) => `  ${command}`)]),
        "",
        `If npm does not find waybill, put waybill-${version}.tgz beside the Dockerfile, which then installs it: \`npm pack\` writes it in a copy of the repository.`,
      ].join("\n"),
  };
}

interface Steps {
  readonly where: string;
  readonly commands: readonly string[];
}

/** As a POSIX shell reads it. */
function quoted(path: string): string {
  return /^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function nextSteps(path: string, version: string): readonly Steps[] {
  const random = '"$(openssl rand -hex 32)"';
  const secrets = ["token", "secret", "redis"].map((name) => `--from-literal=${name}=${random}`).join(" ");
  return [
    {
      where: "On one machine:",
      commands: [`cd ${quoted(path)}`, `WAYBILL_TOKEN=${random} docker compose up --build`],
    },
    {
      where: "On Kubernetes, with the image in your registry and its name in kubernetes.yaml:",
      commands: [
        `docker build -t waybill:${version} --build-arg SERVERS="@modelcontextprotocol/server-everything" ${quoted(path)}`,
        `kubectl create secret generic waybill ${secrets}`,
        `kubectl apply -f ${quoted(join(path, "kubernetes.yaml"))}`,
      ],
    },
  ];
}
