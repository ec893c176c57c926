export interface Scenario {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  /** False where the requirement set only reports: extensions, and what the suite itself calls pending. */
  readonly isScored: boolean;
}

export interface SuiteRun {
  readonly variant: string;
  readonly set: string;
  readonly exitCode: number | null;
  readonly scenarios: readonly Scenario[];
  /** Scenarios with checks that do not apply to this variant: it may pass fewer of them, and fails none. */
  readonly mayPassFewer?: readonly string[] | undefined;
  /** Scenarios of what this variant does not have: each must still not pass, so that the list stays true. */
  readonly lacks?: readonly string[] | undefined;
}

/** What the suite printed after its summary heading: every scenario, then those that do not count. */
export function readSummary(output: string): Scenario[] {
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
function isPassed({ passed, failed }: Scenario): boolean {
  return passed > 0 && failed === 0;
}

function sum(scenarios: readonly Scenario[], key: "passed" | "failed"): number {
  return scenarios.reduce((total, scenario) => total + scenario[key], 0);
}

export function tableOf(runs: readonly SuiteRun[]): Record<string, string | number | null>[] {
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
      "of them scored": sum(scored, "failed"),
      exit: exitCode,
    };
  });
}

/** Fewer checks than the server alone passes, where the variant may: none failed. */
function isExcused({ scenarios, mayPassFewer = [] }: SuiteRun, name: string): boolean {
  const scenario = scenarios.find((one) => one.name === name);
  return scenario?.failed === 0 && mayPassFewer.includes(name);
}

function countsOf(scenario: Scenario | undefined): string {
  return scenario === undefined ? "not run" : `${scenario.passed} passed, ${scenario.failed} failed`;
}

/** What a run lacks and still does not pass; the suite exits with 1 for those that are scored. */
function lackingIn({ scenarios, lacks = [] }: SuiteRun): readonly Scenario[] {
  return scenarios.filter((scenario) => lacks.includes(scenario.name) && !isPassed(scenario));
}

/** Scenario by scenario, since equal totals could hide a failure behind a success elsewhere. */
function differences(run: SuiteRun, plain: SuiteRun | undefined): string[] {
  const lacking = new Set(lackingIn(run).map(({ name }) => name));
  const expected = new Map(plain?.scenarios.map((scenario) => [scenario.name, countsOf(scenario)]));
  const found = new Map(run.scenarios.map((scenario) => [scenario.name, countsOf(scenario)]));
  const names = new Set([...expected.keys(), ...found.keys()].filter((name) => !lacking.has(name)));
  return [...names]
    .filter((name) => found.get(name) !== expected.get(name) && !isExcused(run, name))
    .map((name) => {
      const [here = "not run", there = "not run"] = [found.get(name), expected.get(name)];
      return `${name}: ${here}; without Waybill ${there}`;
    });
}

/** Everything that keeps the runs from being conformant, in words; empty when all is well. */
export function findProblems(runs: readonly SuiteRun[]): string[] {
  return runs.flatMap((run) => {
    const { set, variant, exitCode, scenarios } = run;
    const plain = runs.find((other) => other.set === set && other.variant === "plain");
    const scored = scenarios.filter(({ isScored }) => isScored);
    const lacking = lackingIn(run);
    const expectedExit = lacking.some(({ isScored, failed }) => isScored && failed > 0) ? 1 : 0;
    const problems = [
      ...(exitCode === expectedExit ? [] : [`the suite exits with ${exitCode}`]),
      ...(scored.length > 0 ? [] : ["no scored scenario ran"]),
      ...scored
        .filter((one) => !isPassed(one) && !lacking.includes(one))
        .map(({ name }) => `${name} does not pass`),
      ...scenarios
        .filter((one) => run.lacks?.includes(one.name) === true && isPassed(one))
        .map(({ name }) => `${name} passes: it is not lacking`),
      ...differences(run, plain),
    ];
    return problems.map((problem) => `${set}, ${variant}: ${problem}`);
  });
}
