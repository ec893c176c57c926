// Who may import whom in src/. What does not stand here is an error of `npm run lint`.
// Four floors, and one may only look down: core <- engine <- doors <- cli. docs/house.md draws them.

/** On the lowest floor, and inside the engine, each room names the rooms of its own floor that it may look into. */
const core = {
  json: [],
  text: ["json"],
  tokens: [],
  report: [],
  readers: ["contract", "json", "text"],
  contract: ["json", "text"],
  options: ["contract", "text"],
  protocol: ["contract", "json"],
  schema: ["contract", "json"],
  pipeline: ["contract", "json", "readers", "text", "tokens"],
  rules: ["contract", "json", "pipeline", "protocol", "readers", "schema", "text"],
};

/** Every room of the engine may look into all of core. */
const engine = {
  runtime: [],
  transport: [],
  observe: ["runtime"],
  request: ["runtime"],
  archive: ["runtime"],
  digest: ["runtime"],
  retrieve: ["archive", "runtime"],
  settings: ["archive", "observe", "request", "retrieve", "runtime"],
  guards: ["archive", "observe", "runtime", "settings"],
  call: ["archive", "digest", "guards", "observe", "request", "retrieve", "runtime", "settings"],
  session: ["call", "request", "retrieve", "runtime", "settings"],
};

/** Every door may look into all of core and engine, and into no other door; what tests a server needs two of them. */
const doors = { check: [], client: [], gateway: [], server: [], testing: ["check", "server"] };

/** The stages of the pipeline. None knows another; pipeline.ts puts them in order, parcel.ts is what they hand on, pipeline-context.ts what they may use. */
const stages = ["archive", "deliver", "dialect", "fit", "outcome", "shape"];
const dialects = ["drf", "plain", "response-v1", "response-v2", "response-v2-draft", "scalpel"];

const notSource = String.raw`\.(test|test-d|fixture)\.ts$`;

function rule(name, from, allowed, comment) {
  return {
    name,
    comment,
    severity: "error",
    from: { path: from, pathNot: notSource },
    to: { path: "^src/", pathNot: allowed },
  };
}

function floor(name, rooms, below) {
  return Object.entries(rooms).map(([room, known]) => {
    const beside = [room, ...known].map((each) => `^src/${name}/${each}/`);
    const seen = [...known.map((each) => `${name}/${each}`), ...below];
    const comment = `It may import ${seen.length === 0 ? "nothing of ours" : seen.join(", ")}.`;
    return rule(
      `${name}/${room}`,
      `^src/${name}/${room}/`,
      [...beside, ...below.map((each) => `^src/${each}/`)],
      comment,
    );
  });
}

const pipeline = "^src/core/pipeline/";
const leaves = ["contract", ...core.pipeline].map((room) => `^src/core/${room}/`);

export default {
  forbidden: [
    ...floor("core", core, []),
    ...floor("engine", engine, ["core"]),
    ...floor("doors", doors, ["core", "engine"]),
    ...stages.map((stage) =>
      rule(
        `stage ${stage}`,
        `${pipeline}${stage}/`,
        [`${pipeline}${stage}/`, `${pipeline}[^/]+$`, ...leaves],
        "A stage imports its own files, what all stages share (../parcel.ts, ../pipeline-context.ts) and the rooms below; never a sibling stage.",
      ),
    ),
    {
      ...rule(
        "stage and pipeline.ts",
        `${pipeline}[^/]+/`,
        [],
        "The order of the stages knows them, never the reverse.",
      ),
      to: { path: `${pipeline}pipeline\\.ts$` },
    },
    ...dialects.map((dialect) => ({
      ...rule(
        `dialect ${dialect}`,
        `${pipeline}dialect/${dialect}\\.ts$`,
        [],
        "A dialect knows no other dialect.",
      ),
      to: { path: `${pipeline}dialect/(${dialects.filter((each) => each !== dialect).join("|")})\\.ts$` },
    })),
    rule(
      "a room",
      `^src/(?!index\\.ts$|cli/|(core/(${Object.keys(core).join("|")})|engine/(${Object.keys(engine).join("|")})|doors/(${Object.keys(doors).join("|")}))/)`,
      [],
      "Every file stands in a room that .dependency-cruiser.mjs names.",
    ),
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    includeOnly: "^src/",
    exclude: notSource,
  },
};
