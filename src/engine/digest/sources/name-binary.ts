import { asciiOf } from "./charset.ts";

/** What stands at which place in well-known kinds of files. The first that fits gives the name. */
const signatures: readonly (readonly [place: number, mark: string, name: string])[] = [
  [30, "mimetypeapplication/epub", "an EPUB book"],
  [30, "mimetypeapplication/vnd.oasis", "an OpenDocument file"],
  [0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (doc, xls or ppt)"],
  [0, "\x1f\x8b", "gzip-compressed data"],
  [4, "1AY&SY", "bzip2-compressed data"],
  [0, "\xfd7zXZ\0", "xz-compressed data"],
  [0, "\x28\xb5\x2f\xfd", "zstd-compressed data"],
  [0, "7z\xbc\xaf\x27\x1c", "a 7z archive"],
  [0, "Rar!\x1a\x07", "a rar archive"],
  [257, "ustar", "a tar archive"],
  [0, "\x89PNG\r\n\x1a\n", "a PNG image"],
  [0, "\xff\xd8\xff", "a JPEG image"],
  [0, "GIF8", "a GIF image"],
  [8, "WEBPVP8", "a WebP image"],
  [0, "II*\0", "a TIFF image"],
  [0, "MM\0*", "a TIFF image"],
  [4, "ftypavif", "an AVIF image"],
  [4, "ftypheic", "a HEIC image"],
  [4, "ftyp", "a video (MP4)"],
  [0, "\x1a\x45\xdf\xa3", "a video (Matroska or WebM)"],
  [8, "WAVEfmt", "a sound file (WAV)"],
  [0, "ID3", "a sound file (MP3)"],
  [0, "OggS\0", "a sound or video file (Ogg)"],
  [0, "\x7fELF", "a program (ELF)"],
  [0, "\xcf\xfa\xed\xfe", "a program (Mach-O)"],
  [0, "\xca\xfe\xba\xbe", "a Java class"],
  [0, "\0asm", "a WebAssembly module"],
  [0, "SQLite format 3\0", "an SQLite database"],
  [0, "\xff\xfe\0\0", "text in UTF-32"],
  [0, "\0\0\xfe\xff", "text in UTF-32"],
];

/** Formats written in letters, which no reader would take for text. */
const written: readonly (readonly [mark: string, name: string])[] = [
  ["{\\rtf1", "a rich text document (rtf)"],
  ["%!PS-Adobe", "a PostScript file"],
];

/** Office documents are zip archives; what they hold tells which. */
const zipped: readonly (readonly [part: string, name: string])[] = [
  ["word/", "a Word document (docx)"],
  ["xl/", "an Excel workbook (xlsx)"],
  ["ppt/", "a PowerPoint presentation (pptx)"],
  ["", "a zip archive"],
];

/** How much of a file is looked at. */
const HEAD_BYTES = 4096;
/** How far NUL, which no text holds, is looked for. */
const NUL_BYTES = 65_536;

/** What a file that is not text is called; undefined when it may be text. UTF-16 is text full of NULs. */
export function nameBinary(bytes: Uint8Array, isUtf16: boolean): string | undefined {
  const head = asciiOf(bytes.subarray(0, HEAD_BYTES));
  const named = written.find(([mark]) => head.startsWith(mark))?.[1];
  if (named !== undefined) return named;
  const [, mark = "", name] = signatures.find(([place, mark]) => head.startsWith(mark, place)) ?? [];
  // A mark of plain letters proves nothing in a text about such files.
  const isProof = /[^ -~]/.test(mark) || isUnprintable(bytes);
  if (name !== undefined && isProof) return name;
  if (head.startsWith("PK\u0003\u0004") || head.startsWith("PK\u0005\u0006"))
    return zipped.find(([part]) => head.includes(part))?.[1];
  if (isUtf16 || !isUnprintable(bytes)) return undefined;
  return head.startsWith("MZ") ? "a program (Windows)" : "binary data";
}

function isUnprintable(bytes: Uint8Array): boolean {
  if (bytes.subarray(0, NUL_BYTES).includes(0)) return true;
  const head = bytes.subarray(0, HEAD_BYTES);
  let odd = 0;
  for (const byte of head) if (byte < 0x20 && !(byte >= 0x07 && byte <= 0x0d) && byte !== 0x1b) odd++;
  return odd > 0.1 * head.length;
}
