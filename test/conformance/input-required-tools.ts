import type { ClientCapabilities, RequestStateCodec, ServerContext } from "@modelcontextprotocol/server";
import {
  CLIENT_CAPABILITIES_META_KEY,
  acceptedContent,
  inputRequired,
  inputResponse,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { type FixtureAnswer, type FixtureTool, textResult } from "./fixture-tool.ts";

/** What a fixture remembers between two rounds; the client carries it, sealed. */
export interface RoundState {
  readonly round: number;
}
export type RoundCodec = RequestStateCodec<RoundState>;

const nameForm = z.object({ name: z.string() });
const okForm = z.object({ ok: z.boolean() });
const colorForm = z.object({ color: z.string() });

function askName(message: string): ReturnType<typeof inputRequired.elicit> {
  return inputRequired.elicit({ message, requestedSchema: nameForm });
}

function askModel(text: string, maxTokens: number): ReturnType<typeof inputRequired.createMessage> {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens,
  });
}

function has({ mcpReq }: ServerContext, key: string): boolean {
  return inputResponse(mcpReq.inputResponses, key).kind !== "missing";
}

function textOf({ mcpReq }: ServerContext, key: string): string {
  return JSON.stringify(mcpReq.inputResponses?.[key] ?? null);
}

async function confirm({ mcpReq }: ServerContext, codec: RoundCodec): Promise<FixtureAnswer> {
  const given = acceptedContent(mcpReq.inputResponses, "confirm", okForm);
  if (given !== undefined && mcpReq.requestState<RoundState>()?.round === 1)
    return textResult("state-ok: the state came back as it was");
  return inputRequired({
    inputRequests: { confirm: inputRequired.elicit({ message: "Please confirm", requestedSchema: okForm }) },
    requestState: await codec.mint({ round: 1 }),
  });
}

async function multiRound({ mcpReq }: ServerContext, codec: RoundCodec): Promise<FixtureAnswer> {
  const round = mcpReq.requestState<RoundState>()?.round ?? 0;
  const color = acceptedContent(mcpReq.inputResponses, "step2", colorForm);
  if (round === 2 && color !== undefined) return textResult(`The color is ${color.color}`);
  if (round === 1 && acceptedContent(mcpReq.inputResponses, "step1", nameForm) !== undefined) {
    const message = "Step 2: What is your favorite color?";
    return inputRequired({
      inputRequests: { step2: inputRequired.elicit({ message, requestedSchema: colorForm }) },
      requestState: await codec.mint({ round: 2 }),
    });
  }
  return inputRequired({
    inputRequests: { step1: askName("Step 1: What is your name?") },
    requestState: await codec.mint({ round: 1 }),
  });
}

async function multipleInputs(sdk: ServerContext, codec: RoundCodec): Promise<FixtureAnswer> {
  if (["user_name", "greeting", "client_roots"].every((key) => has(sdk, key)))
    return textResult(`${textOf(sdk, "greeting")} ${textOf(sdk, "user_name")}`);
  return inputRequired({
    inputRequests: {
      user_name: askName("What is your name?"),
      greeting: askModel("Generate a greeting", 50),
      client_roots: inputRequired.listRoots(),
    },
    requestState: await codec.mint({ round: 1 }),
  });
}

type Envelope = Readonly<Record<string, ClientCapabilities | undefined>>;

/** Asks only what the client said it can answer. */
function respectCapabilities(sdk: ServerContext): FixtureAnswer {
  const declared = (sdk.mcpReq.envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const inputRequests = {
    ...(declared?.sampling === undefined
      ? {}
      : { question: askModel("What is the capital of France?", 100) }),
    ...(declared?.elicitation === undefined ? {} : { user_name: askName("What is your name?") }),
  };
  if (Object.keys(inputRequests).length === 0) return textResult("The client can answer nothing");
  return Object.keys(inputRequests).some((key) => has(sdk, key))
    ? textResult("Answered")
    : inputRequired({ inputRequests });
}

/** Tools that ask by an unfinished result, as the modern era does it. */
export function inputRequiredTools(codec: RoundCodec): readonly FixtureTool[] {
  const askForName = (sdk: ServerContext): FixtureAnswer => {
    const given = acceptedContent(sdk.mcpReq.inputResponses, "user_name", nameForm);
    if (given !== undefined) return textResult(`Hello, ${given.name}!`);
    return inputRequired({ inputRequests: { user_name: askName("What is your name?") } });
  };
  const needsSampling = (key: string) => (sdk: ServerContext) =>
    has(sdk, key)
      ? textResult(textOf(sdk, key))
      : inputRequired({ inputRequests: { [key]: askModel("What is the capital of France?", 100) } });
  const listRoots = (sdk: ServerContext): FixtureAnswer =>
    has(sdk, "client_roots")
      ? textResult(textOf(sdk, "client_roots"))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  const answers: Readonly<Record<string, (sdk: ServerContext) => FixtureAnswer | Promise<FixtureAnswer>>> = {
    test_input_required_result_elicitation: askForName,
    test_streaming_elicitation: askForName,
    test_input_required_result_sampling: needsSampling("capital_question"),
    test_missing_capability: needsSampling("question"),
    test_input_required_result_list_roots: listRoots,
    test_input_required_result_request_state: (sdk) => confirm(sdk, codec),
    test_input_required_result_tampered_state: (sdk) => confirm(sdk, codec),
    test_input_required_result_multi_round: (sdk) => multiRound(sdk, codec),
    test_input_required_result_multiple_inputs: (sdk) => multipleInputs(sdk, codec),
    test_input_required_result_capabilities: respectCapabilities,
  };
  return Object.entries(answers).map(([name, answer]) => ({
    name,
    description: "Asks for input before it answers",
    run: (_args, { sdk }) => answer(sdk),
  }));
}
