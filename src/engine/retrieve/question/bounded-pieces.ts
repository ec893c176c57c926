import { ToolFault } from "../../../core/contract/tool-fault.ts";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { type AnswerPiece, piecesOf } from "./answer-pieces.ts";

function bytesOf(piece: AnswerPiece): number {
  if (piece.kind === "value" || piece.kind === "inner") return Buffer.byteLength(piece.json);
  if (piece.kind === "text") return Buffer.byteLength(piece.text);
  return piece.kind === "key" ? Buffer.byteLength(piece.key) + 3 : 1;
}

/**
 * The pieces of an answer up to a length. An answer may be far longer than its input, because it can contain
 * a part a thousand times, so it is counted while it is written.
 */
export function* boundedPieces(answer: JsonValue, maxBytes: number): Generator<AnswerPiece> {
  let bytes = 0;
  for (const piece of piecesOf(answer)) {
    bytes += bytesOf(piece);
    if (bytes > maxBytes)
      throw new ToolFault(`The answer is longer than ${maxBytes} bytes.`, {
        errorCode: "TOO_LARGE",
        remediation: "Ask for less: fewer fields, a filter, a slice such as [:100], or a count.",
        details: { reason: "long_answer", max_bytes: maxBytes },
      });
    yield piece;
  }
}
