export interface Parcel {
  readonly parcel_id: string;
  readonly receiver: string;
  readonly status: "delivered" | "on the way" | "late";
  readonly city: string;
  readonly grams: number;
}

const first = [
  "Ada",
  "Bo",
  "Chidi",
  "Dana",
  "Emre",
  "Fatou",
  "Goran",
  "Hana",
  "Ines",
  "Jun",
  "Kofi",
] as const;
const last = ["Abara", "Berg", "Costa", "Diaz", "Eriksen", "Fofana", "Grau", "Haddad", "Ito"] as const;
const cities = ["Rotterdam", "Gdansk", "Lagos", "Osaka", "Valencia", "Tromsø", "Quito"] as const;

const pick = <Item>(items: readonly [Item, ...Item[]], index: number): Item =>
  items[index % items.length] ?? items[0];

function statusOf(index: number): Parcel["status"] {
  if (index % 13 === 5) return "late";
  return index % 3 === 0 ? "on the way" : "delivered";
}

/** The same 600 parcels in every run: what an example finds can be checked against them. */
export const parcels: readonly Parcel[] = Array.from({ length: 600 }, (_, index) => ({
  parcel_id: `P-${String(index + 1).padStart(4, "0")}`,
  receiver: `${pick(first, index)} ${pick(last, Math.floor(index / 11))} ${index + 1}`,
  status: statusOf(index),
  city: pick(cities, index * 5),
  grams: 150 + ((index * 7_919) % 9_500),
}));
