import { type McpServer, acceptedContent, completable, inputRequired } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { PNG_BASE64 } from "./sample-media.ts";

const words = ["test", "testing", "paris", "park"];
const contextForm = z.object({ context: z.string() });

type UserMessage<Content> = { role: "user"; content: Content };

function user<const Content>(content: Content): UserMessage<Content> {
  return { role: "user", content };
}

/** The prompts the conformance suite gets by name. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", { description: "One message" }, () => ({
    messages: [user({ type: "text", text: "This is a simple prompt for testing." })],
  }));
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "Two arguments",
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => words.filter((word) => word.startsWith(value))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [user({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` })],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "An embedded resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        user({
          type: "resource",
          resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
        }),
        user({ type: "text", text: "Please process the embedded resource above." }),
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "An image" }, () => ({
    messages: [
      user({ type: "image", data: PNG_BASE64, mimeType: "image/png" }),
      user({ type: "text", text: "Please analyze the image above." }),
    ],
  }));
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for context" },
    (context) => {
      const given = acceptedContent(context.mcpReq.inputResponses, "user_context", contextForm);
      if (given !== undefined) return { messages: [user({ type: "text", text: given.context })] };
      const message = "What context should the prompt use?";
      return inputRequired({
        inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema: contextForm }) },
      });
    },
  );
}
