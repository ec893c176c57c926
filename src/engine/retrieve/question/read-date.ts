const ISO_DATE = /^\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?)?$/i;
/** Smaller numbers are seconds since 1970, others milliseconds. As milliseconds it is a day in 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** Milliseconds since 1970. A date without a zone is in UTC. */
export function toTime(value: string | number): number | null {
  if (typeof value === "number") return Math.abs(value) < FIRST_MILLISECONDS ? value * 1_000 : value;
  const text = value.trim();
  if (!ISO_DATE.test(text) || !hasDay(text)) return null;
  const hasTime = /\d:\d/.test(text);
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) && hasTime;
  const written = text.replace(" ", "T").replace(/([+-]\d\d)(\d\d)$/, hasTime ? "$1:$2" : "$&");
  const time = Date.parse(hasTime && !hasZone ? `${written}Z` : written);
  return Number.isNaN(time) ? null : time;
}

/** JavaScript reads 30 February as 2 March. */
function hasDay(date: string): boolean {
  const [year = 0, month = 1, day = 1] = date.slice(0, 10).split("-").map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
