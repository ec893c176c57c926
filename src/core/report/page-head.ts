/** What the head of a page is made of. */
export interface PageHead {
  /** Escaped already. */
  readonly title: string;
  readonly style: string;
  /** Of the style, as a policy writes it: `sha256-…`. */
  readonly styleHash: string;
}

/** How every page begins. Nothing is loaded, nothing runs: what the page quotes is text, whatever it looks like. */
export function pageHead({ title, style, styleHash }: PageHead): string {
  const policy = `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${style}</style>
</head>`;
}
