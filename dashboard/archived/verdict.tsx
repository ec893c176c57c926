import type { RetrieveReply } from "../../src/doors/gateway/dashboard/protocol/result.ts";
import { formatBytes } from "../text/figures.ts";
import { Badge } from "../ui/badge.tsx";

type Judged = Pick<RetrieveReply, "isVerified" | "bytes" | "problem">;

/** Whether what is kept is what was announced. */
export function Verdict({ judged }: { readonly judged: Judged }) {
  return (
    <p role="status">
      {judged.isVerified ? (
        <>
          <Badge tone="good">verified</Badge> {formatBytes(judged.bytes)} read, and their SHA-256 is the one
          that was announced.
        </>
      ) : (
        <>
          <Badge tone="bad">not verified</Badge>{" "}
          {judged.problem ?? "What is kept has another SHA-256 than was announced."}
        </>
      )}
    </p>
  );
}

/** The beginning of a hash, which is enough to tell entries apart; the whole is in its title. */
export function ShortHash({ hash }: { readonly hash: string }) {
  return (
    <code class="hash short" title={hash}>
      {hash.slice(0, 12)}
    </code>
  );
}
