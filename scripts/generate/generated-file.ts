/** A file that is written from the source and never by hand. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}
