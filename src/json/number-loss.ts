type NumberLoss = "number-range" | "number-precision";

/** What a JSON number loses when it is read as a double; undefined when it is written back with the same value. */
export function numberLoss(token: string): NumberLoss | undefined {
  const value = Number(token);
  const written = String(value);
  if (written === token) return undefined;
  if (!Number.isFinite(value)) return "number-range";
  return sameDecimal(token, written) ? undefined : "number-precision";
}

function sameDecimal(a: string, b: string): boolean {
  const left = toDecimal(a);
  const right = toDecimal(b);
  return left.digits === right.digits && (left.digits === "" || left.exponent === right.exponent);
}

/** The digits without zeros at either end, none at all for zero, and the exponent of the last one. */
function toDecimal(token: string): { digits: string; exponent: number } {
  const [mantissa = "", exponent = "0"] = token.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const all = whole + fraction;
  let start = 0;
  while (all[start] === "0") start++;
  let end = all.length;
  while (end > start && all[end - 1] === "0") end--;
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + all.length - end };
}
