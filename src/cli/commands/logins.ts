import type { Login } from "../../doors/gateway/login/login.ts";
import { loginUrl } from "../../doors/gateway/login/login.ts";
import { type KeptLogin, type LoginStore, openLoginStore } from "../../doors/gateway/login/login-store.ts";
import type { PendingSignIn } from "../../doors/gateway/login/sign-in.ts";
import { SignInError } from "../../doors/gateway/login/sign-in-error.ts";
import {
  type ServerProbe,
  probeServer,
  signInFromTerminal,
  signOut,
} from "../../doors/gateway/login/terminal-login.ts";
import { CliError, type CliIo, type ExitCode, exitCodes, machineOf } from "../cli-io.ts";
import { fillHeaders } from "../input/read-input.ts";
import { openBrowser } from "../login/open-browser.ts";
import { alignRows, countOf, printable } from "../output/format-values.ts";
import type { CommandReport } from "../report.ts";

export interface LoginCommandOptions {
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly clientMetadata?: string | undefined;
  readonly scope?: string | undefined;
  readonly caller?: string | undefined;
  readonly browser?: boolean | undefined;
  readonly timeout?: number | undefined;
}

export interface LogoutCommandOptions {
  readonly all?: boolean | undefined;
  readonly caller?: string | undefined;
}

const DEFAULT_SECONDS = 600;

const sealedWords = {
  secret: "encrypted with WAYBILL_SECRET",
  keyring: "encrypted with a key in the system's keyring",
  nothing: "not encrypted, readable for this user alone",
} as const;

function storeOf(io: CliIo): LoginStore {
  const store = openLoginStore(machineOf(io));
  if (store !== undefined) return store;
  throw new CliError("This user has no folder in which a login could be kept.", {
    remediation: "Set HOME, or XDG_STATE_HOME.",
  });
}

function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return loginUrl(text);
  throw new CliError(`${printable(text)} is not the address of a server.`, {
    remediation: "Write one that begins with https://, as in `waybill login https://mcp.example.com/mcp`.",
  });
}

/** Signs in to a server, so that every gateway of this user may call it. */
export async function login(text: string, options: LoginCommandOptions, io: CliIo): Promise<CommandReport> {
  const url = addressOf(text);
  const store = storeOf(io);
  const { clientId, clientSecret, clientMetadata, scope, caller = "", timeout = DEFAULT_SECONDS } = options;
  const { secret } = fillHeaders(
    clientSecret === undefined ? {} : { secret: clientSecret },
    io.env,
    "--client-secret",
  );
  const pasted = new PastedLines(io);
  try {
    const probe = await probeServer(url);
    if (!wantsSignIn(probe)) return notNeeded(url, probe);
    const kept = await signInFromTerminal({
      url,
      caller,
      own: { id: clientId, secret, metadataUrl: clientMetadata, scope },
      store,
      probe,
      timeoutMs: timeout * 1_000,
      opened: (pending) => void invite(pending, options.browser !== false, pasted, io),
    });
    return signedIn(kept, await store.sealedBy());
  } catch (error) {
    throw explain(error, url);
  } finally {
    pasted.close();
  }
}

function wantsSignIn({ status, challenge }: ServerProbe): boolean {
  return status === 401 || (status === 403 && challenge !== undefined);
}

function notNeeded(url: string, { status }: ServerProbe): CommandReport {
  return {
    exitCode: exitCodes.fine,
    data: { url, signed_in: false, status },
    text: () => `${printable(url)} asks for no sign-in (HTTP ${status}).`,
  };
}

function signedIn({ url, issuer, tokens }: Login, sealed: keyof typeof sealedWords): CommandReport {
  const data = { url, signed_in: true, issuer, scope: tokens?.scope ?? null, kept: sealed };
  return {
    exitCode: exitCodes.fine,
    data,
    text: () => `Signed in to ${printable(url)}. The login is kept, ${sealedWords[sealed]}.`,
  };
}

/** Tells the person where to sign in, and takes what is pasted until it is done. */
async function invite(
  pending: PendingSignIn,
  mayOpen: boolean,
  pasted: PastedLines,
  io: CliIo,
): Promise<void> {
  const { authorizationAddress } = pending;
  const say = (text: string): void => void io.stderr.write(`${text}\n`);
  const isOpen = mayOpen && (await openBrowser(new URL(authorizationAddress), io));
  say(`${isOpen ? "Your browser shows this address" : "Open this address in a browser"}:\n`);
  say(`  ${authorizationAddress}\n`);
  say("If the browser is on another machine, paste here the address on which it ends:");
  for await (const line of pasted.lines()) {
    if (line.trim() === "") continue;
    await pending.paste(line).catch((error: unknown) => {
      say(error instanceof SignInError ? `${error.message}.` : "That is no address of this sign-in.");
    });
  }
}

/** What a person pastes. Read only when it is asked for, and given up when the sign-in is over. */
class PastedLines {
  readonly #io: CliIo;
  #input: AsyncIterator<Uint8Array | string> | undefined;

  constructor(io: CliIo) {
    this.#io = io;
  }

  async *lines(): AsyncGenerator<string> {
    this.#input ??= this.#io.stdin[Symbol.asyncIterator]();
    let rest = "";
    for (;;) {
      const { done, value } = await this.#input.next();
      if (done === true) break;
      rest = (rest + Buffer.from(value as string).toString()).slice(-MAX_LINE);
      const lines = rest.split(/\r?\n/);
      rest = lines.pop() ?? "";
      yield* lines;
    }
    if (rest !== "") yield rest;
  }

  close(): void {
    void this.#input?.return?.();
  }
}

const MAX_LINE = 16_384;

function explain(error: unknown, url: string): unknown {
  if (!(error instanceof SignInError)) return error;
  const { reason, message } = error;
  const exitCode: ExitCode = reason === "unreachable" ? exitCodes.unreachable : exitCodes.violated;
  return new CliError(`No sign-in to ${printable(url)}: ${printable(message)}.`, {
    exitCode,
    errorCode: reason === "unreachable" ? "UNAVAILABLE" : "UNAUTHORIZED",
    details: { reason },
  });
}

/** Forgets logins here, and asks their authorization servers to do so too. */
export async function logout(
  text: string | undefined,
  { all, caller }: LogoutCommandOptions,
  io: CliIo,
): Promise<CommandReport> {
  if ((text === undefined) === (all !== true))
    throw new CliError(all === true ? "Both an address and --all are given." : "No login is named.", {
      remediation: "Give the address of a server (`waybill logins` lists them), or --all.",
    });
  const store = storeOf(io);
  const url = text === undefined ? undefined : addressOf(text);
  const chosen = (await store.list()).filter(
    (kept) => url === undefined || (kept.url === url && (caller === undefined || kept.caller === caller)),
  );
  if (chosen.length === 0 && url !== undefined)
    throw new CliError(`There is no login at ${printable(url)}.`, {
      exitCode: exitCodes.violated,
      errorCode: "NOT_FOUND",
      remediation: "`waybill logins` lists those that are kept.",
    });
  const done: { kept: KeptLogin; isRevoked: boolean }[] = [];
  for (const kept of chosen) done.push({ kept, ...(await signOut(store, kept)) });
  return {
    exitCode: exitCodes.fine,
    data: {
      logins: done.map(({ kept, isRevoked }) => ({ url: kept.url, caller: kept.caller, revoked: isRevoked })),
    },
    text: () =>
      done.length === 0
        ? "No login is kept."
        : done
            .map(({ kept: { url: from, login: was }, isRevoked }) => {
              const there =
                was === undefined || isRevoked
                  ? ""
                  : ", but its authorization server was not told: end the session there";
              return `Signed out of ${printable(from)}${there}.`;
            })
            .join("\n"),
  };
}

/** Lists the logins that are kept. No token is shown. */
export async function logins(io: CliIo): Promise<CommandReport> {
  const kept = await storeOf(io).list();
  return {
    exitCode: exitCodes.fine,
    data: { logins: kept.map(described) },
    text: (paint) => {
      if (kept.length === 0) return "No login is kept. `waybill login <url>` signs in.";
      const rows = kept.map((each) => {
        const { url, caller, state, scope, kept: how } = described(each);
        return [url, caller, state, scope ?? "-", how].map((word) => printable(word));
      });
      const head = ["server", "caller", "state", "scope", "kept"];
      return [...alignRows([head, ...rows]), paint.bold(countOf(kept.length, "login"))].join("\n");
    },
  };
}

function described({ url, caller, by, login: found, problem }: KeptLogin) {
  return {
    url,
    caller: caller === "" ? "this user" : caller,
    state: stateOf(found, problem),
    issuer: found?.issuer ?? null,
    scope: found?.tokens?.scope ?? null,
    expires_at: expiryOf(found),
    kept: sealedWords[by],
  };
}

function stateOf(found: Login | undefined, problem: string | undefined): string {
  if (found === undefined) return problem ?? "cannot be read";
  if (found.tokens === undefined) return "signed out by the server: sign in again";
  if (found.tokens.refresh !== undefined) return "signed in, renews itself";
  const expiry = expiryOf(found);
  if (expiry === null) return "signed in";
  return Date.parse(expiry) < Date.now() ? "expired: sign in again" : `signed in until ${expiry}`;
}

function expiryOf(found: Login | undefined): string | null {
  const { expiresAtMs } = found?.tokens ?? {};
  return expiresAtMs === undefined ? null : new Date(expiresAtMs).toISOString();
}
