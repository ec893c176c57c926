import { describe, expect, it } from "vitest";
import { answerQuestion } from "./answer-question.ts";
import { faultOf } from "./fault-of.fixture.ts";

const orders = [0, 1, 2, 3].map((id) => ({
  id,
  state: id === 1 ? "closed" : "open",
  title: `Order ${id}`,
  price: `${id * 100}.5`,
  customer: { name: "Ana", "e-mail": "a@b.c" },
}));
const data = { orders, total: 4 };

async function exampleFor(expression: string, value: typeof data | typeof orders): Promise<unknown> {
  const { code, details, remediation } = await faultOf(() => answerQuestion(value, expression, 0));
  expect(code).toBe("INVALID_FORMAT");
  expect(remediation).toContain(details?.["example"]);
  return details?.["example"];
}

describe("an example that is shown", () => {
  it.each([
    ["orders.length", "length(orders)"],
    [".orders | length", "length(orders)"],
    ["orders[0].title.length", "length(orders[0].title)"],
    ["orders[0].customer.name.first", "orders[0].customer.name"],
    ["orders[0].id.x", "orders[0].id"],
    ["$..id", "*[].id"],
    ["matches(title, 'Order')", "orders[?matches(title, 'Order')]"],
    ["title", "orders[*].title"],
    ["state == 'open' and id = 1", "orders[?state == 'open' && id == 1]"],
    ["orders.title", "orders[*].title"],
    ["orders[*].customer.e-mail", 'orders[*].customer."e-mail"'],
    ["sum(orders[*].price)", "sum(orders[*].to_number(price))"],
    ["sum_by(orders, &price)", "sum_by(orders, &to_number(price))"],
    ["orders[0].price * 2", "orders[0].to_number(price) * 2"],
    ["len(orders)", "length(orders)"],
    ["SELECT id FROM orders WHERE state = 'open' AND id > 1", "orders[?state == 'open' && id > 1].id"],
    ["select id, state from orders limit 2", "orders[:2].[id, state]"],
    ["SELECT COUNT(*) FROM orders", "length(orders)"],
    ["{id, state}", "orders[*].{id: id, state: state}"],
    ["orders[0]['id']", "orders[0].id"],
    ["orders[?state in ['open', 'new']].id", "orders[?contains(['open', 'new'], state)].id"],
    ["orders[?title like '%der 1%'].id", "orders[?contains(title, 'der 1')].id"],
    ["orders[?state is not null].id", "orders[?state != null].id"],
    ["orders[?title == 'it''s'].id", "orders[?title == 'it\\'s'].id"],
    ["/orders/0/id", "orders[0].id"],
    ["first(orders)", "orders[0]"],
    ["substring(orders[0].title, 0, 3)", "orders[0].title[0:3]"],
    ["a b c", "count_by(orders, &state)"],
  ])("for %s is %s, and has an answer", async (expression, example) => {
    expect(await exampleFor(expression, data)).toBe(example);
    expect(answerQuestion(data, example, 0)).toMatchObject({ value: expect.anything() as unknown });
  });

  it.each([
    ["matches(title, 'Order')", "[?matches(title, 'Order')]"],
    ["{id, state}", "[*].{id: id, state: state}"],
    ["first(@)", "@[0]"],
    ["[0].title.length", "length([0].title)"],
    ["count_by(orders, 'state')", "count_by(@, &state)"],
    ["$..id", "[*].id"],
  ])("for %s, put to a list, is %s", async (expression, example) => {
    expect(await exampleFor(expression, orders)).toBe(example);
    expect(answerQuestion(orders, example, 0)).toMatchObject({ value: expect.anything() as unknown });
  });

  it.each([
    ["[?s == 'odd'].n", "items are asked of a text, which is no list"],
    ["n.m", '"n" is asked of a text, which has no keys'],
  ])("is not shown for %s, put to a text, and the lines are named", async (expression, said) => {
    const { message, remediation, details } = await faultOf(() =>
      answerQuestion('{"s": "odd", "n": 1}\n{"s": "even", "n": 2}\n', expression, 0),
    );
    expect(message).toContain(said);
    expect(remediation).toContain("lines or grep");
    expect(details).not.toHaveProperty("example");
  });

  it("comes with the keys that are there, also where the expression cannot be read", async () => {
    const { details } = await faultOf(() => answerQuestion(data, "a b c", 0));
    expect(details).toMatchObject({ keys: { orders: "list of 4 objects", total: "number" } });
  });
});
