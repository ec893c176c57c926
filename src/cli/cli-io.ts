/** Everything the command line touches of its process, so that a test can stand in for it. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly columns?: number | undefined;
  /**
   * A command that runs until it is stopped takes Ctrl-C and SIGTERM over, to finish what it has begun. A second one
   * ends the process at once. Undefined where nobody can press anything.
   */
  readonly onStop?: ((stop: () => void) => void) | undefined;
}

interface TextSink {
  write(text: string | Uint8Array): unknown;
}
