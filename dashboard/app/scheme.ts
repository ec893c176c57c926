import { effect, signal } from "@preact/signals";

export const schemes = ["system", "light", "dark"] as const;
export type Scheme = (typeof schemes)[number];

const KEY = "waybill-scheme";

function stored(): Scheme {
  try {
    return schemes.find((one) => one === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}

/** What was chosen. public/scheme.js applies it before the first paint. */
export const scheme = signal<Scheme>(stored());

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
/** Whether the page is dark now: charts are drawn, so they have to know. */
export const isDark = signal(scheme.value === "system" ? systemIsDark.matches : scheme.value === "dark");

function apply(): void {
  const root = document.documentElement;
  if (scheme.value === "system") delete root.dataset["scheme"];
  else root.dataset["scheme"] = scheme.value;
  isDark.value = scheme.value === "system" ? systemIsDark.matches : scheme.value === "dark";
}

systemIsDark.addEventListener("change", apply);
effect(() => {
  apply();
  try {
    if (scheme.value === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, scheme.value);
  } catch {
    // Storage is not allowed: the choice lasts as long as the page.
  }
});
