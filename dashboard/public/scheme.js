// Runs before the first paint, so that a chosen scheme does not flash in the other one.
try {
  const scheme = localStorage.getItem("waybill-scheme");
  if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme;
} catch {
  // Storage is not allowed: the system's scheme is used.
}
