import { describe, expect, it } from "vitest";
import type { CallRow } from "../../src/doors/gateway/dashboard/protocol/traffic.ts";
import { linkTo, readRoute } from "../app/route.ts";
import { CallList } from "../live/call-list.ts";
import { type CallFilter, isEmptyFilter, matcher, readFilter } from "./call-filter.ts";
import { callRow } from "./call-row.fixture.ts";
import { ListedCalls, countUpTo } from "./listed-calls.ts";
import { summarizeNew } from "./summarize-new.ts";

const rows: readonly CallRow[] = [
  callRow(1),
  callRow(2, { tool: "read_file_lines", warnings: 1, fidelity: "partial" }),
  callRow(3, {
    upstream: "github",
    tool: "list_issues",
    ending: "failed",
    errorCode: "NOT_FOUND",
    errorType: "not_found",
  }),
  callRow(4, { ending: "failed", errorCode: "INTERNAL_ERROR", errorType: "internal", isRepaired: true }),
  callRow(5, { ending: "abandoned", requestId: "Ab-77", caller: "Alice", replica: "web-1" }),
];

const none: CallFilter = {
  tool: "",
  outcome: "",
  fidelity: "",
  code: "",
  caller: "",
  request: "",
  replica: "",
};
const passing = (filter: Partial<CallFilter>): number[] =>
  rows.filter(matcher({ ...none, ...filter })).map(({ seq }) => seq);

describe("matcher", () => {
  it.each<[Partial<CallFilter>, number[]]>([
    [{}, [1, 2, 3, 4, 5]],
    [{ tool: "  " }, [1, 2, 3, 4, 5]],
    [{ tool: "READ" }, [1, 2, 4, 5]],
    [{ tool: "files/read_file" }, [1, 4, 5]],
    [{ tool: "github" }, [3]],
    [{ replica: "web-1" }, [5]],
    [{ replica: "web" }, []],
    [{ outcome: "ok" }, [1, 2]],
    [{ outcome: "failed" }, [3, 4]],
    [{ outcome: "abandoned" }, [5]],
    [{ outcome: "repaired" }, [4]],
    [{ outcome: "warned" }, [2]],
    [{ fidelity: "partial" }, [2]],
    // An abandoned call delivered nothing, so not the whole either.
    [{ fidelity: "full" }, [1, 3, 4]],
    [{ code: "not_f" }, [3]],
    [{ code: "internal" }, [4]],
    [{ caller: "ali" }, [5]],
    [{ request: "ab-7" }, [5]],
    [{ outcome: "failed", tool: "read" }, [4]],
  ])("lists with %o the calls %o", (filter, seqs) => {
    expect(passing(filter)).toEqual(seqs);
  });
});

describe("readFilter", () => {
  it("brings a filter back from the address, and passes over values that the page does not offer", () => {
    const filter = {
      tool: "a/b",
      outcome: "failed",
      fidelity: "summary",
      code: "X",
      caller: "b",
      request: "r 1",
      replica: "web-1",
    };
    expect(readFilter(readRoute(linkTo("traffic", filter)).query)).toEqual(filter);
    const wrong = readFilter(new URLSearchParams("outcome=great&fidelity=low"));
    expect(isEmptyFilter(wrong)).toBe(true);
  });
});

describe("ListedCalls", () => {
  it("gives what a plain filter gives, after every change of the list and of the filter", () => {
    const list = new CallList();
    const listed = new ListedCalls();
    const filters = [none, { ...none, outcome: "failed" }, { ...none, tool: "read_file" }];
    for (const [at, row] of [...rows.slice(2), ...rows.slice(0, 2), callRow(9), callRow(8)].entries()) {
      list.add([row]);
      const filter = filters[at % 2 === 0 ? 0 : at % filters.length] ?? none;
      expect(listed.update(list, filter)).toEqual(list.rows.filter(matcher(filter)));
    }
    list.clear();
    expect(listed.update(list, none)).toEqual([]);
  });

  it("holds the list at a call", () => {
    expect(countUpTo(rows, 3)).toBe(3);
    expect(countUpTo(rows, undefined)).toBe(5);
    expect(countUpTo(rows, 0)).toBe(0);
  });
});

describe("summarizeNew", () => {
  it("says in a sentence what has come", () => {
    expect(summarizeNew(rows)).toBe("5 new calls, 2 failed, 1 cut.");
    expect(summarizeNew([callRow(1)])).toBe("1 new call.");
  });
});
