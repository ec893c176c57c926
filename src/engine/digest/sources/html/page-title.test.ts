import { describe, expect, it } from "vitest";
import { pageTitle } from "./survey-html.ts";

function titleOf(title: string, siteName?: string, url?: string): string | undefined {
  return pageTitle({ titles: [title], siteName, urls: [url] });
}

describe("pageTitle", () => {
  it("takes the first title that says something", () => {
    expect(pageTitle({ titles: [undefined, " \n", " A\n b ", "c"], siteName: undefined, urls: [] })).toBe(
      "A b",
    );
    expect(pageTitle({ titles: [undefined, ""], siteName: "Site", urls: [] })).toBeUndefined();
  });

  it.each([
    ["Bridge approved | The Courier", "The Courier", undefined],
    ["The Courier – Bridge approved", "the courier", undefined],
    ["Bridge approved - TheCourier", undefined, "https://www.thecourier.example/bridge"],
    ["Bridge approved · thecourier.example", undefined, "https://news.thecourier.example/bridge"],
    ["Bridge approved|The Courier", "The Courier", undefined],
  ])("cuts the site's name from %j", (title, siteName, url) => {
    expect(titleOf(title, siteName, url)).toBe("Bridge approved");
  });

  it.each([
    ["Bridge approved | The Northport Courier", undefined, undefined],
    ["Bridge approved | News", "The Courier", "https://courier.example/"],
    ["Bridge - approved", "", "no address"],
    ["The Courier", "The Courier", undefined],
    ["| The Courier", "The Courier", undefined],
    ["The Courier-Bridge", "The Courier", undefined],
  ])("leaves %j", (title, siteName, url) => {
    expect(titleOf(title, siteName, url)).toBe(title);
  });
});
