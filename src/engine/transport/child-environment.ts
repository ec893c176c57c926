type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that a program needs to start and to find its files; none of them is a secret. */
const safeNames: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
      ]
    : [
        "HOME",
        "LANG",
        "LC_ALL",
        "LOGNAME",
        "PATH",
        "SHELL",
        "TERM",
        "TMPDIR",
        "TZ",
        "USER",
        "XDG_RUNTIME_DIR",
      ];

/**
 * Waybill's own variables: the key that signs cursors, and any that may contain a password, such as a store's
 * address.
 */
const ownSecret =
  /^WAYBILL_(?!BUDGET_TOKENS$)(?:SECRET|STORE|UPSTREAM_HEADERS|.*(?:TOKEN|KEY|PASSWORD|REDIS).*)$/i;

export interface ChildEnvironmentOptions {
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Passes on all variables except Waybill's own secrets. Default: a short list of safe variables. */
  readonly inheritEnv?: boolean | undefined;
}

/**
 * The variables of a server's process. Variables that the configuration sets by name come last, so they
 * always apply.
 */
export function childEnvironment(
  { env = {}, inheritEnv = false }: ChildEnvironmentOptions,
  from: Environment = process.env,
): Record<string, string> {
  const made: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value === undefined) continue;
    const isPassedOn = inheritEnv ? !ownSecret.test(name) : safeNames.includes(name.toUpperCase());
    // Shells export functions in a form that a program may run.
    if (isPassedOn && (inheritEnv || !value.startsWith("()"))) made[name] = value;
  }
  return { ...made, ...env };
}
