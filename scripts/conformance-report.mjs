/** @typedef {{ name: string, passed: number, failed: number, isScored: boolean }} Scenario */
/** @typedef {{ variant: string, set: string, exitCode: number | null, scenarios: Scenario[] }} Run */

/** What the suite printed after its summary heading: every scenario, then those that do not count. */
export function readSummary(/** @type {string} */ output) {
  const summary = output.slice(output.lastIndexOf("=== SUMMARY ==="));
  const unscored = new Set([...summary.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const lines = summary.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  return [...lines].map(([, name = "", passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
    isScored: !unscored.has(name),
  }));
}

/** A scenario of a dead server fails nothing either, so it has to pass something. */
function isPassed(/** @type {Scenario} */ { passed, failed }) {
  return passed > 0 && failed === 0;
}

function sum(/** @type {Scenario[]} */ scenarios, /** @type {"passed" | "failed"} */ key) {
  return scenarios.reduce((total, scenario) => total + scenario[key], 0);
}

export function tableOf(/** @type {Run[]} */ runs) {
  return runs.map(({ set, variant, exitCode, scenarios }) => {
    const scored = scenarios.filter(({ isScored }) => isScored);
    const passed = scored.filter(isPassed).length;
    return {
      set,
      variant,
      "scored passed": passed,
      "scored failed": scored.length - passed,
      "checks passed": sum(scenarios, "passed"),
      "checks failed": sum(scenarios, "failed"),
      "checks failed, scored": sum(scored, "failed"),
      exit: exitCode,
    };
  });
}

function differences(/** @type {Run} */ run, /** @type {Run | undefined} */ plain) {
  const expected = new Map(plain?.scenarios.map((scenario) => [scenario.name, scenario]));
  const names = new Set([...expected.keys(), ...run.scenarios.map(({ name }) => name)]);
  const found = new Map(run.scenarios.map((scenario) => [scenario.name, scenario]));
  const show = (/** @type {Scenario | undefined} */ one) =>
    one === undefined ? "not run" : `${one.passed} passed, ${one.failed} failed`;
  return [...names]
    .filter((name) => show(found.get(name)) !== show(expected.get(name)))
    .map((name) => `${name}: ${show(found.get(name))}; without Waybill ${show(expected.get(name))}`);
}

/** Everything that keeps the runs from being conformant, in words; empty when all is well. */
export function findProblems(/** @type {Run[]} */ runs) {
  return runs.flatMap((run) => {
    const { set, variant, exitCode, scenarios } = run;
    const plain = runs.find((other) => other.set === set && other.variant === "plain");
    const scored = scenarios.filter(({ isScored }) => isScored);
    const problems = [
      ...(exitCode === 0 ? [] : [`the suite exits with ${exitCode}`]),
      ...(scored.length > 0 ? [] : ["no scored scenario ran"]),
      ...scored.filter((one) => !isPassed(one)).map(({ name }) => `${name} does not pass`),
      ...differences(run, plain),
    ];
    return problems.map((problem) => `${set}, ${variant}: ${problem}`);
  });
}
