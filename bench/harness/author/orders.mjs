// What every server of `bench author` has alike, so that their own lines are what their library asks for: the orders, the
// shape of one, the words of the four tools, and an upstream whose error says too much. Plain JavaScript: the servers run
// under two Nodes.
import * as z from "zod";

export const orderSchema = z.object({
  id: z.string().describe("Order id"),
  customer: z.string().describe("Who ordered"),
  status: z.enum(["open", "paid", "shipped"]).describe("How far it is"),
  total: z.number().describe("Sum in cents"),
  note: z.string().describe("What the customer wrote"),
});

export const words = {
  list: "Orders, oldest first, in pages",
  get: "One order by its id",
  sync: "Fetches new orders from the warehouse",
  export: "Every order at once",
};

export const secret = "warehouse-Pa55-9f31c7";

const notes = [
  "Please ring twice.",
  "Leave it with the neighbour on the left.",
  "A gift: no invoice in the box.",
];

function orderAt(index) {
  return {
    id: `order-${String(index).padStart(5, "0")}`,
    customer: `Customer ${(index * 7919) % 997}`,
    status: orderSchema.shape.status.options[index % 3],
    total: ((index * 104_729) % 90_000) + 500,
    note: `${notes[index % notes.length]} ${notes[(index >> 2) % notes.length]}`,
  };
}

/** About 1 MB of JSON. */
export const orders = Array.from({ length: 6_500 }, (_, index) => orderAt(index));
const places = new Map(orders.map(({ id }, place) => [id, place]));

export function findOrder(id) {
  return orders[places.get(id)];
}

/** At most `limit` orders behind the one with this id; without an id, from the first. */
export function ordersAfter(id, limit) {
  const start = (places.get(id) ?? -1) + 1;
  return orders.slice(start, start + limit);
}

/** A driver that writes its connection string into its error, as many do. */
export function syncOrders() {
  throw new Error(`login failed for postgres://sync:${secret}@warehouse.internal:5432/orders`);
}
