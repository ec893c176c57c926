export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables of the process; empty without a process, as on Workers, whose settings come with each request. */
export function environment(): Environment {
  const { process } = globalThis as { readonly process?: { readonly env?: Environment } };
  return process?.env ?? {};
}
