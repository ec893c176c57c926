import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** Ends a run with one line that a person and a script can read: `120 passed, 1 failed`. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const failedHere = states.filter((state) => state === "failed").length;
      passed += states.filter((state) => state === "passed").length;
      // A file that does not load, or whose hooks fail, counts even when none of its tests ran.
      failed += failedHere === 0 && module.state() === "failed" ? 1 : failedHere;
    }
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
