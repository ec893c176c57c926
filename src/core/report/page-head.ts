export interface PageHead {
  /** Must already be escaped. */
  readonly title: string;
  readonly style: string;
  /** The hash of the style, as a policy writes it: `sha256-…`. */
  readonly styleHash: string;
}

/** The beginning of every page. Nothing is loaded and nothing runs: whatever the page quotes is text. */
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
