// A log as services write it, the same at every run: requests, warnings, now and then an error with a stack.

const paths = [
  "/api/orders",
  "/api/customers",
  "/health",
  "/api/orders/{id}/items",
  "/login",
  "/static/app.js",
];
const workers = ["http", "queue", "mailer", "reports"];
const stack = [
  "    at Pool.acquire (/srv/app/node_modules/pool/index.js:88:13)",
  "    at OrderStore.find (/srv/app/src/orders/store.js:41:22)",
  "    at async handle (/srv/app/src/http/router.js:120:5)",
];

/** Hands over pieces of whole lines until there are so many bytes; the last piece is cut to them. */
export function writeLogLines(bytes: number, write: (lines: string) => void): void {
  let state = 1;
  const below = (limit: number): number => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    return (state >>> 8) % limit;
  };
  const start = Date.UTC(2026, 10, 18);
  let written = 0;
  for (let at = 0; written < bytes;) {
    const lines: string[] = [];
    for (let one = 0; one < 1_000; one++, at++) {
      const time = new Date(start + at * 40 + below(40)).toISOString();
      const worker = workers[below(workers.length)];
      const path = (paths[below(paths.length)] ?? "").replace("{id}", `${below(100_000)}`);
      const kind = below(200);
      const request = below(0xff_ffff).toString(16).padStart(6, "0");
      if (kind === 0)
        lines.push(`${time} ERROR ${worker} [${request}] No connection within 5000 ms`, ...stack);
      else if (kind < 8)
        lines.push(`${time} WARN  ${worker} [${request}] ${path} was slow: ${900 + below(4_000)} ms`);
      else
        lines.push(
          `${time} INFO  ${worker} [${request}] GET ${path} ${kind < 20 ? 404 : 200} in ${below(900)} ms`,
        );
    }
    // All of it is ASCII.
    const text = `${lines.join("\n")}\n`.slice(0, bytes - written);
    written += text.length;
    write(text);
  }
}
