import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lawRuns } from "../../../../test/arbitrary/law-runs.ts";
import { shareRoom } from "./cut-value.ts";

const claim = fc.record({ floor: fc.nat({ max: 40 }), demand: fc.nat({ max: 500 }) });

describe("shareRoom", () => {
  test.each([
    [
      "serves the small whole and splits the rest evenly",
      [
        [0, 10],
        [0, 90],
        [0, 500],
      ],
      110,
      [10, 50, 50],
    ],
    [
      "gives everyone what they ask for where there is room",
      [
        [0, 10],
        [0, 20],
      ],
      100,
      [10, 20],
    ],
    [
      "gives the floors first",
      [
        [30, 100],
        [0, 100],
      ],
      50,
      [40, 10],
    ],
    [
      "gives no less than the floor to one that asks for less",
      [
        [8, 2],
        [0, 100],
      ],
      20,
      [8, 12],
    ],
    [
      "gives no part anything where there is nothing beyond the floors",
      [
        [5, 50],
        [5, 50],
      ],
      10,
      [5, 5],
    ],
    ["has nothing to share among none", [], 10, []],
  ] as const)("%s", (_, claims, room, shares) => {
    expect(
      shareRoom(
        claims.map(([floor, demand]) => ({ floor, demand })),
        room,
      ),
    ).toEqual(shares);
  });

  test("gives nothing at all where the floors have no room", () => {
    expect(
      shareRoom(
        [
          { floor: 6, demand: 9 },
          { floor: 5, demand: 5 },
        ],
        10,
      ),
    ).toBeUndefined();
  });

  test("never hands out more than there is, nor less than a floor, nor more than a demand", () => {
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 12 }), fc.nat({ max: 2_000 }), (claims, room) => {
        const shares = shareRoom(claims, room);
        const floors = claims.reduce((sum, { floor }) => sum + floor, 0);
        expect(shares === undefined).toBe(floors > room);
        const given = shares ?? [];
        expect(given.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(room);
        for (const [index, share] of given.entries()) {
          const { floor = 0, demand = 0 } = claims[index] ?? {};
          expect(share).toBeGreaterThanOrEqual(floor);
          expect(share).toBeLessThanOrEqual(Math.max(floor, demand));
        }
      }),
      lawRuns(1_000),
    );
  });

  test("leaves nothing over while somebody wants more than one each", () => {
    const shares = shareRoom(
      [
        { floor: 0, demand: 900 },
        { floor: 0, demand: 900 },
        { floor: 0, demand: 900 },
      ],
      1_000,
    );
    expect(shares).toEqual([333, 333, 334]);
  });
});
