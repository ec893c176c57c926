import { floorOf, type House } from "./house.ts";
import { type Box, box, type Layout, layOut, type Line } from "./house-layout.ts";
import { floors } from "./rooms.ts";

const style = `
  svg { --page: #fbfbfa; --ink: #1d2430; --soft: #626b79; --band: #f0f1ef; --box: #ffffff; --rim: #c9ced6;
    --cli: #8b4fc6; --doors: #2468c8; --engine: #0f8a73; --core: #b8730a; --wrong: #d0342c; }
  @media (prefers-color-scheme: dark) {
    svg { --page: #12161d; --ink: #e8ebf0; --soft: #9aa4b3; --band: #1a2029; --box: #232b36; --rim: #3b4656;
      --cli: #bd8ff0; --doors: #74a8f7; --engine: #45c9ab; --core: #e3ab4e; --wrong: #ff7b72; }
  }
  text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: var(--ink); }
  .title { font-size: 24px; font-weight: 650; }
  .small { font-size: 15px; fill: var(--soft); }
  .floor { font-size: 19px; font-weight: 650; }
  .name { font-size: 19px; font-weight: 600; }
  .page { fill: var(--page); }
  .band { fill: var(--band); }
  .box { fill: var(--box); stroke: var(--rim); }
  .line { fill: none; stroke-width: 1.7; opacity: 0.8; }
  .wrong { stroke: var(--wrong); stroke-width: 2; stroke-dasharray: 6 4; opacity: 1; }
${floors.map((floor) => `  .of-${floor} { stroke: var(--${floor}); }\n  .fill-${floor} { fill: var(--${floor}); }`).join("\n")}
`;

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const rounded = (value: number): string => String(Math.round(value * 10) / 10);
const grouped = (value: number): string => value.toLocaleString("en-GB");
const floorName = (room: string): string => floors[floorOf(room)] ?? "";

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where on its side of a box each line begins or ends: in the order of where it comes from, so that they do not cross. */
function ports(lines: readonly Line[], side: "from" | "to", boxes: Layout["boxes"]): Map<Line, number> {
  const nextX = ({ edge, passes }: Line): number =>
    (side === "from" ? passes[0]?.x : passes.at(-1)?.x) ??
    boxes.get(side === "from" ? edge.to : edge.from)?.x ??
    0;
  const places = new Map<Line, number>();
  for (const [name, { x }] of boxes) {
    const own = lines.filter(({ edge }) => edge[side] === name).toSorted((a, b) => nextX(a) - nextX(b));
    const step = Math.min(18, (box.width - 24) / own.length);
    for (const [at, line] of own.entries()) places.set(line, x + step * (at - (own.length - 1) / 2));
  }
  return places;
}

function curve(from: Point, to: Point, startBend: number, endBend: number): string {
  const numbers = [from.x, from.y + startBend, to.x, to.y - endBend, to.x, to.y];
  return `C${numbers.map(rounded).join(" ")}`;
}

/** Down from the foot of a box, through the places in the rows that it passes, to the head of another. */
function pathDown(points: readonly Point[]): string {
  return points
    .map((point, at) => {
      const before = points[at - 1];
      if (before === undefined) return `M${rounded(point.x)} ${rounded(point.y)}`;
      const foot = at === 1 ? before : { x: before.x, y: before.y + box.height };
      const bend = (point.y - foot.y) * 0.55;
      return `${foot === before ? "" : `V${rounded(foot.y)}`}${curve(foot, point, bend, bend)}`;
    })
    .join("");
}

function pathOf(line: Line, from: Box, to: Box, startX: number, endX: number): string {
  if (to.y > from.y) {
    const [start, end] = [
      { x: startX, y: from.y + box.height },
      { x: endX, y: to.y },
    ];
    return pathDown([start, ...line.passes, end]);
  }
  // Beside it: round the foot. Above it: from the head up to the foot.
  const isBeside = to.y === from.y;
  const start = { x: startX, y: isBeside ? from.y + box.height : from.y };
  const bend = isBeside ? 30 : -40;
  const path = curve(start, { x: endX, y: to.y + box.height }, bend, -Math.abs(bend));
  return `M${rounded(start.x)} ${rounded(start.y)}${path}`;
}

function drawLines(house: House, { boxes, lines }: Layout): string[] {
  const wrong = new Set(house.upward);
  const [starts, ends] = [ports(lines, "from", boxes), ports(lines, "to", boxes)];
  return lines.flatMap((line) => {
    const { edge } = line;
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    const look = wrong.has(edge) ? "line wrong" : `line of-${floorName(edge.from)}`;
    const path = pathOf(line, from, to, starts.get(line) ?? from.x, ends.get(line) ?? to.x);
    return [`<path class="${look}" d="${path}"><title>${edge.from} → ${edge.to}</title></path>`];
  });
}

function drawBox({ room, x: middle, y }: Box, mostLines: number): string {
  const { name, files, lines, says } = room;
  const x = middle - box.width / 2;
  const bar = Math.max(3, ((box.width - 24) * lines) / mostLines);
  const short = name.split("/").at(-1) ?? name;
  const left = rounded(x + 12);
  return [
    `<g><title>${escaped(`${name}: ${says.replaceAll("`", "")}`)}</title>`,
    `<rect class="box" x="${rounded(x)}" y="${y}" width="${box.width}" height="${box.height}" rx="7"/>`,
    `<text class="name" x="${left}" y="${y + 24}">${escaped(short)}</text>`,
    `<text class="small" x="${left}" y="${y + 45}">${files} ${files === 1 ? "file" : "files"} · ${grouped(lines)} lines</text>`,
    `<rect class="fill-${floorName(name)}" x="${left}" y="${y + 53}" width="${rounded(bar)}" height="5" rx="2"/>`,
    "</g>",
  ].join("");
}

/** The floors from the roof to the ground, their rooms with files and lines, and who imports whom. */
export function drawHouse(house: House): string {
  const layout = layOut(house);
  const { width, height, bands, boxes } = layout;
  const mostLines = Math.max(1, ...house.rooms.map(({ lines }) => lines));
  const totals = `${grouped(house.files)} files · ${grouped(house.lines)} lines · ${house.rooms.length} rooms · ${house.edges.length} edges · ${house.levels} levels`;
  const legend = [
    "A line leads from a room to one that it imports. What a room also reaches through another room has no line.",
    `A bar shows lines of code.${house.upward.length === 0 ? "" : " Dashed red: a floor that looks up."}`,
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">The floors and rooms of src/</title>`,
    `<desc id="d">Four floors: ${floors.join(", ")}. ${totals}.</desc>`,
    `<style>${style}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="12"/>`,
    `<text class="title" x="24" y="40">src/: you may only look down</text>`,
    `<text class="small" x="${width - 24}" y="40" text-anchor="end">${totals}</text>`,
    ...bands.map(
      ({ floor, y, height: tall }) =>
        `<rect class="band" x="16" y="${y}" width="${width - 32}" height="${tall}" rx="10"/>` +
        `<rect class="fill-${floor}" x="16" y="${y}" width="5" height="${tall}" rx="2.5"/>` +
        `<text class="floor fill-${floor}" x="34" y="${y + tall / 2 + 6}">${floor}</text>`,
    ),
    ...drawLines(house, layout),
    ...Array.from(boxes.values(), (one) => drawBox(one, mostLines)),
    ...legend.map((line, at) => `<text class="small" x="24" y="${height - 44 + 22 * at}">${line}</text>`),
    "</svg>",
    "",
  ].join("\n");
}
