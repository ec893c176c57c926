import { describe, expect, it } from "vitest";
import { codeIn, findCode, withoutCode } from "./source-code.ts";

const codes: readonly string[] = [
  "def secret(x):\n    token = load(x)\n    return token * 2",
  "async def run() -> None:\n    await go()",
  "class A:\n    def f(self):\n        pass",
  "from pay.card import Card",
  "import os\nimport sys\nprint(os.getcwd())",
  "for i in range(10):\n    print(i)",
  "while True:\n    x += 1",
  "x = 1\ny = compute(x)\nprint(y)",
  "@app.route('/x')\ndef h():\n    pass",
  "const a = 1;\nfunction f(b) {\n  return a + b;\n}",
  "const { a } = require('b')",
  "import { a } from 'b'",
  "export default function App() { return null }",
  "items.map((item) => { return item.id; })",
  "if (x > 1) { y(); }",
  "x = y + 1;\nz = f(x);\nreturn z;",
  'public static void main(String[] args) {\n  System.out.println("x");\n}',
  "#include <stdio.h>\nint main() { return 0; }",
  'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println(1)\n}',
  'fn main() {\n    println!("hi");\n}',
  "let mut v = vec![1];",
  "SELECT id, name FROM users WHERE id = 3",
  "select * from users",
  "INSERT INTO users (id) VALUES (1)",
  "UPDATE users SET name = 'x' WHERE id = 1",
  "DELETE FROM users WHERE id = 1",
  "CREATE TABLE t (id int)",
  '<div class="a"><p>Hello</p></div>',
  "<html>\n<head>\n<title>x</title>\n</head>",
  "```ts\nanything at all\n```",
];

const sentences: readonly string[] = [
  "Cannot read properties of undefined (reading 'map')",
  "TypeError: foo.bar is not a function",
  "No such file or directory: /srv/app/src/main.py",
  "ENOENT: no such file or directory, open 'a.txt'",
  "Expected ',' or '}' after property value in JSON at position 12",
  "MCP error -32602: Tool x not found",
  "Please select a file from the list",
  "You cannot run DELETE FROM without WHERE",
  'SQLITE_ERROR: near "SELEC": syntax error',
  "no such table: users",
  "invalid arguments: name is required;\nage must be a number;\ncity (string) is required;",
  '{\n  "a": 1,\n  "b": {\n    "c": [1, 2]\n  }\n}',
  'Got:\n{\n  "error": "x"\n}',
  "HOST=a\nPORT=3",
  "limit = 5\noffset = 10 (max 20)",
  "{:a=>{:b=>1}}",
  'Failed to resolve import "./a"',
  "import failed\nexport failed",
  "Missing <body> tag",
  "Usage: get <id> [--all]",
  "<Error><Code>NoSuchKey</Code><Message>x</Message></Error>",
  "if you need help:\n  - read the docs\n  - ask",
  "try again later:\n  wait 5 s",
  "Timeout (5000ms) exceeded; try again;",
  "for more information see: https://example.com/z?a=b;c=d",
  "Steps:\n1. run npm install\n2. call start()\n3. done",
  "The function add(a, b) takes two numbers;",
  "unknown method fetchAll(); did you mean fetch_all()?",
  "key: value\nother: value",
  "class not found: Foo",
  "The class Foo {id} was not found",
  "return to sender;",
  "expression `a.b[0]` is wrong: use `items[0].name`",
  "Invalid input: expected string, received undefined\n  at name",
  "File not found: /missing.py",
];

describe("findCode", () => {
  it.each(codes)("finds %j, alone and in a sentence", (code) => {
    expect(codeIn(code)).toBeDefined();
    for (const text of [code, `Bad code: ${code}`, `It failed.\n${code}`]) {
      const clean = withoutCode(text);
      expect(clean).toContain("[source code left out: ");
      expect(findCode(clean)).toEqual([]);
    }
  });

  it.each(sentences)("leaves %j alone", (text) => {
    expect(codeIn(text)).toBeUndefined();
    expect(withoutCode(text)).toBe(text);
  });

  it("leaves the words around code, and says how many lines went", () => {
    expect(withoutCode("Cannot parse:\ndef f(x):\n    return x\n\nMend the file.")).toBe(
      "Cannot parse:\n[source code left out: 2 lines]\n\nMend the file.",
    );
    expect(withoutCode("Found `const a = 1` here")).toBe("Found `[source code left out: 1 line]` here");
  });

  it("finds the lines that a stack of Python shows", () => {
    const stack = '  File "a.py", line 3, in f\n    total = price * amount\nValueError: no';
    expect(withoutCode(stack)).toBe(
      '  File "a.py", line 3, in f\n[source code left out: 1 line]\nValueError: no',
    );
  });

  it("does not slow down on long and hostile texts", () => {
    for (const piece of [
      "(",
      "{ ",
      "a.",
      "import ",
      "select a, ",
      "<div ",
      "x = ",
      "for a in ",
      '"',
      "def f(",
    ])
      expect(findCode(piece.repeat(20_000)).length).toBeLessThan(2);
    expect(withoutCode("x = f(1);\n".repeat(20_000))).toMatch(/^\[source code left out: 20000 lines\]\n?$/);
  });
});
