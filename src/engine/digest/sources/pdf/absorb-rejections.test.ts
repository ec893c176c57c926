import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { absorbRejections } from "./open-pdf.ts";

const source = fileURLToPath(new URL("open-pdf.ts", import.meta.url));

/** How a program of its own ends that drops a promise while a PDF is read. */
function runDropping(name: string): { readonly status: number | null; readonly stdout: string } {
  const script = `
    import { absorbRejections } from ${JSON.stringify(source)};
    await absorbRejections(async () => {
      void Promise.reject(Object.assign(new Error("dropped"), { name: ${JSON.stringify(name)} }));
    });
    console.log("went on");`;
  return spawnSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    encoding: "utf8",
  });
}

describe("absorbRejections", () => {
  test("keeps a program alive when pdf.js drops a promise", () => {
    expect(runDropping("XRefEntryException")).toMatchObject({ status: 0, stdout: "went on\n" });
  });

  test("lets a program end for a promise that is its own", () => {
    expect(runDropping("TypeError")).toMatchObject({ status: 1, stdout: "" });
  });

  test("leaves no listener behind, however many read at a time and whatever comes of it", async () => {
    const before = process.listenerCount("unhandledRejection");
    const during: number[] = [];
    const read = async (fails: boolean): Promise<void> => {
      during.push(process.listenerCount("unhandledRejection"));
      await Promise.resolve();
      if (fails) throw new Error("as it may");
    };
    await Promise.allSettled([true, false, true].map((fails) => absorbRejections(() => read(fails))));
    expect(during).toEqual([before + 1, before + 1, before + 1]);
    expect(process.listenerCount("unhandledRejection")).toBe(before);
  });
});
