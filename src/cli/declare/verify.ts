import type { Command } from "commander";
import type { VerifyCommandOptions } from "../commands/verify.ts";
import { type DeclareContext, addManual } from "./declaration.ts";
import { addSource } from "./source.ts";

export function declareVerify(program: Command, { io, give }: DeclareContext): void {
  const command = program
    .command("verify")
    .summary("check a digest against its document")
    .description(
      "Checks a digest against its document: the hash, the length, and every quote at the place and page it names. " +
        "What does not hold is reported with the first difference, and ends with exit code 1.",
    )
    .argument(
      "<digest>",
      'JSON: a digest payload, or anything that holds one, such as a response; "-" for stdin',
    )
    .argument("<source>", 'the document, or its canonical text: a file, an http(s) URL, or "-" for stdin')
    .option("--pointer <pointer>", "where the digest is, if there are several: /data/sources/0");
  addSource(command).action(
    async (digest: string, source: string, options: VerifyCommandOptions, own: Command) => {
      const { verify } = await import("../commands/verify.ts");
      const { json } = own.optsWithGlobals<{ json?: boolean }>();
      give(await verify(digest, source, { ...options, json }, io));
    },
  );
  addManual(command, [0, 1, 2, 3], []);
}
