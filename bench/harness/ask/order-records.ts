import { generator } from "../records.ts";

interface OrderLine {
  readonly sku: string;
  readonly quantity: number;
  readonly cents: number;
}

/** One generated order: about 500 bytes of compact JSON. */
export interface Order {
  readonly id: string;
  readonly number: number;
  readonly status: string;
  readonly region: string;
  readonly currency: string;
  readonly customer: { readonly id: string; readonly name: string; readonly tier: string };
  readonly lines: readonly OrderLine[];
  readonly total_cents: number;
  readonly placed_at: string;
  readonly shipped_at: string | null;
  readonly carrier: string;
  readonly tags: readonly string[];
  readonly note: string;
}

const statuses = ["open", "packed", "shipped", "delivered", "refunded"];
const regions = ["north", "south", "east", "west", "harbour", "islands"];
const currencies = ["EUR", "USD", "GBP"];
const tiers = ["basic", "silver", "gold"];
const carriers = ["harbour post", "river freight", "night train"];
const tags = ["gift", "fragile", "express", "bulk", "sample", "reorder"];
const words =
  "leave parcel behind the green door ring twice ask neighbour quiet garden bridge before noon after rain copper bell".split(
    " ",
  );
const CUSTOMERS = 400;
const SKUS = 60;
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Orders that are the same on every machine. One note in all of them names a lighthouse. */
export function makeOrders(count: number): readonly Order[] {
  const random = generator(11);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = (list: readonly string[]): string => list[below(list.length)] ?? "";
  return Array.from({ length: count }, (_, index): Order => {
    const customer = below(CUSTOMERS);
    const lines = Array.from({ length: 1 + below(3) }, () => ({
      sku: `SKU-${String(below(SKUS)).padStart(3, "0")}`,
      quantity: 1 + below(9),
      cents: 100 + below(20_000),
    }));
    const placed = FIRST_DAY + below(300) * DAY_MS + below(86_400) * 1_000;
    const hasShipped = random() < 0.7;
    const note = Array.from({ length: 12 + below(12) }, () => pick(words)).join(" ");
    return {
      id: `ord_${index.toString(16).padStart(8, "0")}`,
      number: 100_000 + index,
      status: pick(statuses),
      region: pick(regions),
      currency: pick(currencies),
      customer: { id: `cus_${customer}`, name: `Customer ${customer}`, tier: tiers[customer % 3] ?? "" },
      lines,
      total_cents: lines.reduce((sum, { quantity, cents }) => sum + quantity * cents, 0),
      placed_at: new Date(placed).toISOString(),
      shipped_at: hasShipped ? new Date(placed + 2 * DAY_MS).toISOString() : null,
      carrier: pick(carriers),
      tags: [pick(tags), pick(tags)],
      note: index === Math.floor(count * 0.73) ? `${note} lighthouse` : note,
    };
  });
}
