const advice: Readonly<Record<string, string>> = {
  InvalidSymbol: "This is no JSON word. Write true, false, null, a number or a quoted string.",
  InvalidNumberFormat: "This is no JSON number. Write digits, as in 8000 or 0.5.",
  PropertyNameExpected: 'A key is expected here. Write it in double quotes, as in "profile".',
  ValueExpected: "A value is expected here. Write one, or {} for an empty file.",
  ColonExpected: 'A colon is expected here. Write "key": value.',
  CommaExpected: "A comma is expected here. Put one between two entries.",
  CloseBraceExpected: 'A closing "}" is missing. Add it.',
  CloseBracketExpected: 'A closing "]" is missing. Add it.',
  EndOfFileExpected: "There is text after the end of the value. Remove it.",
  UnexpectedEndOfComment: "The comment does not end. Close it with */.",
  UnexpectedEndOfString: "The string does not end on its line. Close it with a double quote.",
  UnexpectedEndOfNumber: "The number breaks off. Finish it, or write it without an exponent.",
  InvalidUnicode: "The \\u escape is broken. Write four hexadecimal digits.",
  InvalidEscapeCharacter: "The escape is unknown. Write a backslash as \\\\.",
  InvalidCharacter: "A control character stands in a string. Write it as an escape, such as \\n.",
};

/** What a syntax error of the parser means, and what to do. */
export function syntaxAdvice(code: string): string {
  return advice[code] ?? "This is no valid JSON. Correct it.";
}
