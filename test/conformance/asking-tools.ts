import type { ElicitRequestFormParams, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { type FixtureCall, type FixtureTool, textResult } from "./fixture-tool.ts";

function oneText(name: string): StandardSchemaWithJSON {
  return fromJsonSchema({ type: "object", properties: { [name]: { type: "string" } }, required: [name] });
}

const defaults: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
};

function titled(words: readonly string[]): { const: string; title: string }[] {
  return words.map((title, at) => ({ const: `value${at + 1}`, title }));
}

const options = ["option1", "option2", "option3"];
const enums: ElicitRequestFormParams["requestedSchema"] = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: options },
    titledSingle: { type: "string", oneOf: titled(["First Option", "Second Option", "Third Option"]) },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: { type: "array", items: { type: "string", enum: options } },
    titledMulti: {
      type: "array",
      items: { anyOf: titled(["First Choice", "Second Choice", "Third Choice"]) },
    },
  },
};

async function elicit(
  { sdk }: FixtureCall,
  message: string,
  requestedSchema: ElicitRequestFormParams["requestedSchema"],
): Promise<string> {
  const { action, content } = await sdk.mcpReq.elicitInput({ message, requestedSchema });
  return `action=${action}, content=${JSON.stringify(content ?? {})}`;
}

/** Tools that ask the client something while they run, as the legacy era does it. */
export const askingTools: readonly FixtureTool[] = [
  {
    name: "test_sampling",
    description: "Asks the client's model",
    inputSchema: oneText("prompt"),
    run: async ({ prompt }, { sdk }) => {
      const { content } = await sdk.mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
        maxTokens: 100,
      });
      const said =
        !Array.isArray(content) && content.type === "text" ? content.text : JSON.stringify(content);
      return textResult(`LLM response: ${said}`);
    },
  },
  {
    name: "test_elicitation",
    description: "Asks the user",
    inputSchema: oneText("message"),
    run: async ({ message }, call) => {
      const text = { type: "string" } as const;
      const said = await elicit(call, String(message), {
        type: "object",
        properties: { username: text, email: text },
        required: ["username", "email"],
      });
      return textResult(`User response: ${said}`);
    },
  },
  {
    name: "test_elicitation_sep1034_defaults",
    description: "Asks the user with default values",
    run: async (_args, call) =>
      textResult(`Elicitation completed: ${await elicit(call, "Please review these values", defaults)}`),
  },
  {
    name: "test_elicitation_sep1330_enums",
    description: "Asks the user to choose",
    run: async (_args, call) =>
      textResult(`Elicitation completed: ${await elicit(call, "Please choose", enums)}`),
  },
];
