import { type Question, largest, largestOf, ordered, tally, total } from "./ask-question.ts";
import type { Order } from "./order-records.ts";

const idsOf = (orders: readonly Order[]): readonly string[] => orders.map(({ id }) => id);
const isGoldInNorth = ({ customer, region }: Order): boolean =>
  customer.tier === "gold" && region === "north";

/** Questions to a hundred thousand orders. */
export const orderQuestions: readonly Question<readonly Order[]>[] = [
  { kind: "count", select: "length(@)", answer: (orders) => orders.length },
  {
    kind: "count",
    select: "length([?status == 'refunded'])",
    answer: (orders) => orders.filter(({ status }) => status === "refunded").length,
  },
  {
    kind: "count",
    select: "length([?customer.tier == 'gold' && region == 'north'])",
    answer: (orders) => orders.filter(isGoldInNorth).length,
  },
  {
    kind: "count",
    select: "length([?contains(tags, 'fragile')])",
    answer: (orders) => orders.filter(({ tags }) => tags.includes("fragile")).length,
  },
  {
    kind: "count",
    select: "sum([].lines[].quantity)",
    answer: (orders) => orders.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0),
  },
  {
    kind: "filter",
    select: "[?total_cents > `450000`].id",
    answer: (orders) => idsOf(orders.filter((order) => order.total_cents > 450_000)),
  },
  {
    kind: "filter",
    select:
      "[?status == 'open' && region == 'islands' && after(placed_at, '2026-10-27') && currency == 'GBP'].{id: id, placed: placed_at}",
    answer: (orders) =>
      orders
        .filter(
          ({ status, region, placed_at: placed, currency }) =>
            status === "open" &&
            region === "islands" &&
            Date.parse(placed) > Date.UTC(2026, 9, 27) &&
            currency === "GBP",
        )
        .map(({ id, placed_at: placed }) => ({ id, placed })),
  },
  {
    kind: "filter",
    select: "sort(unique([].carrier))",
    answer: (orders) => [...new Set(orders.map(({ carrier }) => carrier))].sort(),
  },
  {
    kind: "group",
    select: "count_by(@, &status)",
    answer: (orders) => tally(orders, ({ status }) => status),
  },
  {
    kind: "group",
    select: "count_by(@, &placed_at[0:7])",
    answer: (orders) => tally(orders, (order) => order.placed_at.slice(0, 7)),
  },
  {
    kind: "group",
    select: "sum_by(@, &region, &total_cents)",
    answer: (orders) =>
      total(
        orders,
        ({ region }) => region,
        (order) => order.total_cents,
      ),
  },
  {
    kind: "group",
    select: "avg_by(@, &customer.tier, &total_cents)",
    answer: (orders) => {
      const counts = tally(orders, ({ customer }) => customer.tier);
      const sums = total(
        orders,
        ({ customer }) => customer.tier,
        (order) => order.total_cents,
      );
      return Object.fromEntries(Object.entries(sums).map(([tier, sum]) => [tier, sum / (counts[tier] ?? 1)]));
    },
  },
  {
    kind: "group",
    select: "count_by([].lines[], &sku)",
    answer: (orders) =>
      tally(
        orders.flatMap(({ lines }) => lines),
        ({ sku }) => sku,
      ),
  },
  {
    kind: "group",
    select: "count_by([?shipped_at == `null`], &status)",
    answer: (orders) =>
      tally(
        orders.filter((order) => order.shipped_at === null),
        ({ status }) => status,
      ),
  },
  {
    kind: "top",
    select: "top_by(@, &total_cents, `5`)[].{id: id, total: total_cents}",
    answer: (orders) =>
      largestOf(orders, (order) => order.total_cents, 5).map((order) => ({
        id: order.id,
        total: order.total_cents,
      })),
  },
  {
    kind: "top",
    select: "reverse(sort_by(@, &placed_at))[:3].id",
    answer: (orders) =>
      idsOf(
        ordered(orders, (order) => order.placed_at)
          .toReversed()
          .slice(0, 3),
      ),
  },
  {
    kind: "top",
    select: "max_by(items(sum_by(@, &region, &total_cents)), &[1])[0]",
    answer: (orders) => {
      const sums = total(
        orders,
        ({ region }) => region,
        (order) => order.total_cents,
      );
      return largest(Object.entries(sums), ([, sum]) => sum)?.[0];
    },
  },
  {
    kind: "top",
    select: "top_by(items(sum_by(@, &customer.id, &total_cents)), &[1], `5`)",
    answer: (orders) => {
      const sums = total(
        orders,
        ({ customer }) => customer.id,
        (order) => order.total_cents,
      );
      return largestOf(Object.entries(sums), ([, sum]) => sum, 5);
    },
  },
  {
    kind: "lookup",
    select: "[?id == 'ord_0000c350'] | [0].{status: status, customer: customer.name}",
    answer: (orders) => {
      const found = orders.find(({ id }) => id === "ord_0000c350");
      return found === undefined ? null : { status: found.status, customer: found.customer.name };
    },
  },
  {
    kind: "lookup",
    select: "[?number == `199999`] | [0]",
    answer: (orders) => orders.find(({ number }) => number === 199_999),
  },
  { kind: "lookup", select: "[12345].lines", answer: (orders) => orders[12_345]?.lines },
  {
    kind: "text",
    select: "[?contains(note, 'lighthouse')].{id: id, note: note}",
    answer: (orders) =>
      orders.filter(({ note }) => note.includes("lighthouse")).map(({ id, note }) => ({ id, note })),
  },
  {
    kind: "text",
    select: "length([?contains(note, 'green door')])",
    answer: (orders) => orders.filter(({ note }) => note.includes("green door")).length,
  },
  {
    kind: "text",
    select: "length([?matches(note, '^(?:ring|bell) .*rain$')])",
    answer: (orders) => orders.filter(({ note }) => /^(?:ring|bell) .*rain$/.test(note)).length,
  },
];
