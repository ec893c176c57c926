// What the files for containers say, read as the tools read them that use them.
import { readFileSync } from "node:fs";
import { parse, parseAllDocuments } from "yaml";

export const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** The instructions of a Dockerfile, with continued lines joined. */
export function dockerfile(): readonly Instruction[] {
  return read("deploy/Dockerfile")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const [, name = "", rest = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
      return { name, rest };
    });
}

/** The words of an instruction in the form that no shell reads. */
export function wordsOf(name: string): readonly string[] {
  const last = dockerfile().findLast((instruction) => instruction.name === name);
  const list = /\[.*\]$/.exec(last?.rest ?? "")?.[0] ?? "[]";
  return JSON.parse(list) as string[];
}

export interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: unknown;
}

export function compose(): { readonly services: Readonly<Record<string, ComposeService>> } {
  return parse(read("deploy/compose.yaml")) as ReturnType<typeof compose>;
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly resources: Readonly<Record<"requests" | "limits", Readonly<Record<string, string>>>>;
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly readinessProbe: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
}

/** As much of Kubernetes' objects as the tests look at. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } & Readonly<
      Record<string, unknown>
    >;
    readonly template?: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly Container[]; readonly volumes?: readonly unknown[] };
    };
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
    readonly ports?: readonly { readonly port: number; readonly name: string }[];
  };
}

/** Throws at what is no YAML. */
export function kubernetes(): readonly KubernetesObject[] {
  return parseAllDocuments(read("deploy/kubernetes.yaml")).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw error;
    return document.toJS() as KubernetesObject;
  });
}

export function objectOf(kind: string, name: string): KubernetesObject {
  const found = kubernetes().find((object) => object.kind === kind && object.metadata.name === name);
  if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
  return found;
}

export function containerOf(object: KubernetesObject): Container {
  const [container] = object.spec?.template?.spec.containers ?? [];
  if (container === undefined) throw new Error(`${object.metadata.name} has no container.`);
  return container;
}

/** The arguments of a container, with the variables that Kubernetes puts in. */
export function filledArgs(
  { args }: Container,
  variables: Readonly<Record<string, string>>,
): readonly string[] {
  return args.map((word) => word.replaceAll(/\$\((\w+)\)/g, (all, name: string) => variables[name] ?? all));
}
