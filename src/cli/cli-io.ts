/** All parts of the process that the command line uses, so that a test can replace them. */
export interface CliIo {
  readonly stdin: AsyncIterable<Uint8Array | string>;
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isTTY: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  readonly columns?: number | undefined;
  /**
   * A command that runs until it is stopped handles Ctrl-C and SIGTERM itself, to finish its work. A second signal ends
   * the process at once. Undefined if there are no signals.
   */
  readonly onStop?: ((stop: () => void) => void) | undefined;
}

interface TextSink {
  write(text: string | Uint8Array): unknown;
}
