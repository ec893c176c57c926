import type { JsonObject } from "../../../core/json/json-value.ts";
import { createRedactor } from "../../../core/text/redact/redact-secrets.ts";
import type { CheckTarget } from "../check-options.ts";

const redactor = createRedactor();

/** Replaces secret values, which the file must not hold, by variables of the gateway's environment. */
function withoutSecrets(
  values: Readonly<Record<string, string>>,
  variableOf: (name: string) => string,
): { readonly shown: JsonObject; readonly variables: readonly string[] } {
  const variables: string[] = [];
  const show = ([name, value]: [string, string]): [string, string] => {
    // The file may hold a reference; any other `${` would be read as a reference.
    const isSecret = value !== "" && redactor.json({ [name]: value }).count > 0;
    if (!isSecret || /^[^$]*\$\{[A-Za-z_]\w*\}[^$]*$/.test(value)) return [name, value];
    variables.push(variableOf(name));
    return [name, `\${${variableOf(name)}}`];
  };
  return { shown: Object.fromEntries(Object.entries(values).map(show)), variables };
}

/** `x-api-key` becomes `UPSTREAM_X_API_KEY`. */
function variableOfHeader(name: string): string {
  return `UPSTREAM_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
}

/** How the gateway reaches the checked server, in the format of the file. */
export interface Reach {
  readonly section: JsonObject;
  /** Variables that must be set where the gateway starts. */
  readonly variables: readonly string[];
  /** Something in the configuration looks like a secret and could not be removed. */
  readonly isPrivate: boolean;
}

/** Undefined for a server in memory: a gateway cannot reach it. */
export function reachOf(target: CheckTarget): Reach | undefined {
  if ("link" in target) return undefined;
  if ("url" in target) {
    const { shown, variables } = withoutSecrets(target.headers ?? {}, variableOfHeader);
    const headers = Object.keys(shown).length > 0 ? { headers: shown } : {};
    const isPrivate = redactor.text(target.url).count > 0;
    return { section: { url: target.url, ...headers }, variables, isPrivate };
  }
  const { command, args = [], env = {}, cwd } = target;
  const { shown, variables } = withoutSecrets(env, (name) => name);
  return {
    section: {
      command,
      ...(args.length > 0 ? { args: [...args] } : {}),
      // A check starts the server with the user's environment, and the gateway must do the same.
      inherit_env: true,
      ...(Object.keys(shown).length > 0 ? { env: shown } : {}),
      ...(cwd === undefined ? {} : { cwd }),
    },
    variables,
    isPrivate: redactor.text(args.join(" ")).count > 0,
  };
}
