import type { Command } from "commander";
import type { LoginCommandOptions, LogoutCommandOptions } from "../commands/logins.ts";
import { type DeclareContext, type Example, addManual } from "./declaration.ts";
import { parseUpTo } from "./option-values.ts";

const MAX_SECONDS = 3_600;

export const loginsExamples: readonly Example[] = [
  { args: "logins", output: "No login is kept. `waybill login <url>` signs in." },
];

export function declareLogin(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("login")
    .summary("sign in to a server behind a URL with OAuth")
    .description(
      "Signs in to an MCP server with OAuth, in your browser, and keeps the login: every `waybill gateway` of this user " +
        "may then call the server, and renews the login by itself. Without a browser on this machine, open the printed " +
        "address anywhere and paste the address on which it ends.\n\n" +
        "The gateway registers itself at the authorization server. Where that takes no registrations, give the id of a " +
        "client of your own, with http://127.0.0.1/callback as its redirect on any port.",
    )
    .argument("<url>", "the server's Streamable HTTP address")
    .option("--client-id <id>", "a client of your own at the authorization server")
    .option("--client-secret <secret>", "its secret; ${NAME} is taken from the environment")
    .option(
      "--client-metadata <url>",
      "the address of a client-id metadata document, in place of a registration",
    )
    .option("--scope <scopes>", "what to ask for, with spaces between (default: what the server names)")
    .option("--caller <name>", "sign in for this caller of a gateway over HTTP (default: for this user)")
    .option("--no-browser", "print the address, and open no browser")
    .option(
      "--timeout <seconds>",
      "how long to wait for the person (default: 600)",
      parseUpTo(MAX_SECONDS, "seconds"),
    )
    .action(async (url: string, options: LoginCommandOptions) => {
      const { login } = await import("../commands/logins.ts");
      give(await login(url, options, io));
    });
  addManual(command, [0, 1, 2, 3], []);
}

export function declareLogout(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("logout")
    .summary("forget a login, here and at its authorization server")
    .description(
      "Removes the login of a server from this machine, and asks its authorization server to end it (RFC 7009). Gateways " +
        "that run stop using it within a second.",
    )
    .argument("[url]", "the server's address")
    .option("--caller <name>", "only that of this caller over HTTP")
    .option("--all", "every login of this user, also those of callers over HTTP")
    .action(async (url: string | undefined, options: LogoutCommandOptions) => {
      const { logout } = await import("../commands/logins.ts");
      give(await logout(url, options, io));
    });
  addManual(command, [0, 1, 2], []);
}

export function declareLogins(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("logins")
    .summary("list the servers that you are signed in to")
    .description("Lists the logins of this user, and how each is kept. No token is shown.")
    .action(async () => {
      const { logins } = await import("../commands/logins.ts");
      give(await logins(io));
    });
  addManual(command, [0, 2], loginsExamples);
}
