// The pages for people who cannot get the real one. They need no script, and one style sheet that is public.

import { escapeHtml } from "../../../../core/report/page-text.ts";
import { pageLook } from "../../../../core/report/report-page.ts";

/** The page's policy allows styles only from files. */
export const PLAIN_SHEET_PATH = "/plain.css";

export const plainSheet = `${pageLook}
main { max-width: 40rem; margin: 0 auto; padding: clamp(2rem, 12vh, 8rem) 1.25rem; }
h1 { margin: 0 0 1rem; font: 600 1.75rem/1.2 var(--sans); }
code { padding: .1em .35em; border-radius: 4px; background: var(--tint); }
form { display: grid; gap: .5rem; max-width: 28rem; }
input, button { min-height: 2.5rem; padding: .4rem .75rem; border: 1px solid var(--quiet); border-radius: 6px; background: var(--panel); color: inherit; font: inherit; }
button { justify-self: start; cursor: pointer; font-weight: 600; }
.says { padding: .6rem .9rem; border-left: 3px solid currentColor; }
`;

function plainPage(title: string, paragraphs: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} · Waybill</title>
<link rel="stylesheet" href="${PLAIN_SHEET_PATH}">
</head>
<body>
<main>
<h1>${title}</h1>
${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}
</main>
</body>
</html>
`;
}

/** For a browser that is not signed in. */
export const signInPage = plainPage("Sign in with a link", [
  "The gateway has just written a new sign-in link to where it writes its messages: the terminal it was started in, or the log that your MCP client keeps of this server. Look for <code>dashboard</code>, and open that link in this browser.",
  'A link works once. Did you sign in with this browser before, since the gateway was started? Then <a href="/">open the page</a>.',
]);

/** After the token was taken, if the browser would not send the new cookie with a redirect. */
export const enteredPage = plainPage("Signed in", ['<a href="/">Open the page</a>.']).replace(
  "<title>",
  '<meta http-equiv="refresh" content="0; url=/">\n<title>',
);

/** Shown if the files of the page are missing. */
export const notBuiltPage = plainPage("The page is not here", [
  "The gateway runs, but the files of its page are not beside it. In a clone of the repository, <code>npm run build</code> makes them; a program that was bundled needs the folder <code>dist/dashboard</code> of the package <code>waybill</code> beside it.",
]);

/** For a browser of a team that is not signed in; `says` is why the last token was refused. */
export function tokenPage(says?: string): string {
  return plainPage("Sign in", []).replace(
    "</main>",
    `${says === undefined ? "" : `<p class="says" role="alert">${escapeHtml(says)}</p>\n`}<form method="post" action="/sign-in">
<label for="token">Your token for this dashboard</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button type="submit">Sign in</button>
</form>
</main>`,
  );
}
