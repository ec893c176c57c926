/** The system's name for a failure (`ENOENT`), or undefined when it is none of the system's. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
