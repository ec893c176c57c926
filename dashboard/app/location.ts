import { signal } from "@preact/signals";
import { type Route, readRoute } from "./route.ts";

/** The address of the page now. */
export const route = signal<Route>(readRoute(location.hash));

addEventListener("hashchange", () => {
  route.value = readRoute(location.hash);
});

/** Goes to an address made by `linkTo…`. */
export function go(hash: string): void {
  location.hash = hash;
}

/** Changes the address without a step in the history: for filters, which change with every key. */
export function replace(hash: string): void {
  history.replaceState(null, "", hash);
  route.value = readRoute(hash);
}
