// The page calls tools as any client does. Its calls are known by their request ids, which begin with letters that only
// this process knows: no client can make a call that looks like the page's.

import { randomBytes } from "node:crypto";

const BYTES = 6;
const prefix = `page_${randomBytes(BYTES).toString("hex")}_`;
let last = 0;

/** A request id for a call of the page. */
export function newOwnId(): string {
  last += 1;
  return prefix + String(last);
}

/** Whether a call with this request id was made by the page. */
export function isOwnId(requestId: string): boolean {
  return requestId.startsWith(prefix);
}
