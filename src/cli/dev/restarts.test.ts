import { expect, it } from "vitest";
import { Restarts } from "./restarts.ts";

it("runs one restart at a time, and one more for all that were asked for meanwhile", async () => {
  const order: string[] = [];
  let release = (): void => undefined;
  const restarts = new Restarts(async () => {
    order.push("begin");
    await new Promise<void>((resolve) => (release = resolve));
    order.push("end");
  });
  for (let asked = 0; asked < 3; asked++) restarts.ask();
  restarts.ask();
  release();
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["begin", "end", "begin", "end"]);
  expect(restarts.count).toBe(2);
});

it("starts none after it was told that all is done", async () => {
  let release = (): void => undefined;
  const restarts = new Restarts(() => new Promise<void>((resolve) => (release = resolve)));
  restarts.ask();
  restarts.ask();
  const done = restarts.done();
  release();
  await done;
  expect(restarts.count).toBe(1);
});
