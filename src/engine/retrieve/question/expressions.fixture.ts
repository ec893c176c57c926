import * as fc from "fast-check";
import type { JsonValue } from "../../../core/json/json-value.ts";
import { functionNames, parametersOf } from "./function-signatures.ts";

const KEYS = ["a", "b", "c", "name", "items", "__proto__", "constructor", "x-y", "true"] as const;
const key = fc.constantFrom(...KEYS);

/** Data in which the keys of the expressions occur. */
export const questionedData: fc.Arbitrary<JsonValue> = fc
  .letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom<JsonValue>(
        null,
        true,
        false,
        0,
        1,
        -2.5,
        1e300,
        "",
        "a",
        "b",
        "2026-01-02",
        "\u{1F600}",
        "\ud800",
      ),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.dictionary(key, tie("value"), { maxKeys: 4 }), { maxLength: 4 }),
      fc.dictionary(key, tie("value"), { maxKeys: 4 }),
    ),
  }))
  .value.map((value) => JSON.parse(JSON.stringify(value)) as JsonValue);

function written(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

const literal = fc.constantFrom(
  "`1`",
  "`0`",
  "`-2.5`",
  "'a'",
  "''",
  "`null`",
  "`true`",
  "`[1, 2]`",
  '`{"a": 1}`',
  "'2026-01-02'",
);
const field = key.map(written);
/** The community's evaluator finds the first two in every object. */
const plainField = field.filter((name) => !["__proto__", "constructor", "true"].includes(name));
const comparator = fc.constantFrom("==", "!=", "<", "<=", ">", ">=");

type Parts = { plain: string; any: string };

/** Forms that every JMESPath has. Where the community's evaluator is known to be wrong, nothing is made. */
const forms = (inner: fc.Arbitrary<string>, field: fc.Arbitrary<string>): fc.Arbitrary<string>[] => [
  fc.tuple(inner, field).map(([left, right]) => `${left}.${right}`),
  inner.map((left) => `${left}[0]`),
  inner.map((left) => `${left}[-1]`),
  inner.map((left) => `${left}[*]`),
  inner.map((left) => `(${left})[]`),
  inner.map((left) => `${left}[1:]`),
  inner.map((left) => `${left}[::-1]`),
  fc.tuple(inner, field).map(([left, right]) => `${left}[*].${right}`),
  fc.tuple(inner, inner).map(([left, right]) => `${left} | ${right}`),
  fc.tuple(inner, inner).map(([left, right]) => `(${left}) || (${right})`),
  fc.tuple(inner, inner).map(([left, right]) => `(${left}) && (${right})`),
  inner.map((child) => `!(${child})`),
  fc.tuple(inner, inner).map(([left, right]) => `[${left}, ${right}]`),
  fc.tuple(inner, inner).map(([left, right]) => `{a: ${left}, b: ${right}}`),
  fc.tuple(inner, inner, inner).map((parts) => `(${parts[0]}) ? (${parts[1]}) : (${parts[2]})`),
  fc.tuple(inner, inner).map(([left, right]) => `(${left})[?${right}]`),
  fc.tuple(inner, inner, inner).map(([left, right, last]) => `(${left})[?(${right}) == (${last})]`),
  fc.tuple(inner, inner).map(([left, right]) => `(${left}) == (${right})`),
  inner.map((child) => `type(${child})`),
  inner.map((child) => `to_array(${child})`),
  inner.map((child) => `length(${child})`),
  inner.map((child) => `keys(${child})`),
  inner.map((child) => `values(${child})`),
  inner.map((child) => `items(${child})`),
  inner.map((child) => `reverse(${child})`),
  inner.map((child) => `sum(${child})`),
  inner.map((child) => `abs(${child})`),
  fc.tuple(inner, inner).map(([left, right]) => `map(&(${left}), ${right})`),
];

function call(inner: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.constantFrom(...functionNames).chain((name) => {
    const parameters = parametersOf(name) ?? [];
    return fc
      .tuple(
        ...parameters.map(({ kinds }) =>
          kinds.includes("expression") ? inner.map((part) => `&${part}`) : inner,
        ),
      )
      .map((parts) => `${name}(${parts.join(", ")})`);
  });
}

const expressions = fc.letrec<Parts>((tie) => ({
  plain: fc.oneof({ maxDepth: 4 }, plainField, fc.constant("@"), literal, ...forms(tie("plain"), plainField)),
  any: fc.oneof(
    { maxDepth: 5 },
    field,
    literal,
    fc.constantFrom("@", "$", "10", "-1", "2.5", "*", "$x"),
    ...forms(tie("any"), field),
    call(tie("any")),
    call(tie("any")),
    fc.tuple(tie("any"), comparator, tie("any")).map((parts) => `(${parts[0]}) ${parts[1]} (${parts[2]})`),
    fc
      .tuple(tie("any"), fc.constantFrom("+", "-", "*", "/", "//", "%", "×"), tie("any"))
      .map((parts) => parts.join(" ")),
    fc.tuple(tie("any"), tie("any")).map(([value, inner]) => `let $x = ${value} in ${inner}`),
    fc.tuple(tie("any"), fc.integer(), fc.integer()).map(([left, from, step]) => `${left}[${from}::${step}]`),
  ),
}));

export const plainExpression = expressions.plain;

/** Expressions that were typed wrongly: a piece is lost, doubled or something else. */
const broken = fc
  .tuple(
    expressions.any,
    fc.nat(),
    fc.nat(8),
    fc.constantFrom("", "[", "]", "(", ")", "'", '"', "`", "&", "=", "..", "|", "\u0000", "é", " and "),
  )
  .map(([expression, at, length, piece]) => {
    const place = at % (expression.length + 1);
    return expression.slice(0, place) + piece + expression.slice(place + length);
  });

export const anyExpression = fc.oneof(expressions.any, broken, fc.string({ unit: "binary", maxLength: 60 }));

/** Expressions made to take time, memory, stack or a long answer. */
export const hostileExpression = fc
  .tuple(
    fc.constantFrom("[@,@]", "@", "'aaaaaaaa'", "[[@]]", "items"),
    fc.constantFrom(
      "|[@,@]",
      "|[@,@][]",
      "|[@,@,@,@][]",
      "|{a:@,b:@}",
      "|join('',[@,@])",
      "|join(to_string(@),['a','b'])",
      "|map(&[@,$],@)",
      "|[@,@]|sort_by(@,&to_string(@))",
      "|to_string(@)",
      "|[*].{a:@,b:@}",
      "|unique(@)",
      "|@==[@]",
      "|replace(@,'a','aaaa')",
      "|split(@,'')",
      "|zip(@,@)",
      "[*]",
      "|[@]",
      ".a",
      "||@",
      "|pad_left(@,`1000000`)",
      "|[?$]",
      "|matches(to_string(@),'(a+)+$')",
      "|group_by(@,&to_string($))",
    ),
    fc.integer({ min: 1, max: 600 }),
  )
  .map(([start, step, times]) => start + step.repeat(times));
