import { type Variant, variants } from "./build-record-server.ts";

/** One end-to-end connection that is measured: the client in this process, the server here or in another one. */
export interface Side {
  readonly call: () => Promise<unknown>;
  /** Processor time of the server's process so far, in µs; undefined when it is this process. */
  readonly serverCpuUs: () => Promise<number | undefined>;
}

export interface Spread {
  readonly median: number;
  readonly p10: number;
  readonly p90: number;
}

/** Medians of one call, and Waybill against plain: the spread of the per-round quotients. */
export interface Comparison {
  /** Processor time of client and server together, in µs. */
  readonly plainCpuUs: number;
  readonly waybillCpuUs: number;
  readonly plainWallUs: number;
  readonly waybillWallUs: number;
  readonly cpu: Spread;
  readonly wall: Spread;
  /** The server's process alone, where it has one. */
  readonly serverCpu: Spread | undefined;
}

interface Turn {
  readonly cpuUs: number;
  readonly wallUs: number;
  readonly serverUs: number | undefined;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: quantile(values, 0.5), p10: quantile(values, 0.1), p90: quantile(values, 0.9) };
}

export function showSpread({ median, p10, p90 }: Spread): string {
  return `${median.toFixed(2)} (${p10.toFixed(2)}-${p90.toFixed(2)})`;
}

/** An aim beside its figure, such as `1.3, missed`; nothing where there is no aim. */
export function judgeAim(figure: Spread | undefined, aim: number | undefined): string {
  if (figure === undefined || aim === undefined) return "";
  return `${aim}, ${figure.median <= aim ? "met" : "missed"}`;
}

function ownCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function takeTurn(side: Side, calls: number): Promise<Turn> {
  const serverBefore = await side.serverCpuUs();
  const ownBefore = ownCpuUs();
  const start = performance.now();
  for (let index = 0; index < calls; index++) await side.call();
  const wallUs = ((performance.now() - start) * 1_000) / calls;
  const ownUs = (ownCpuUs() - ownBefore) / calls;
  const serverAfter = await side.serverCpuUs();
  if (serverBefore === undefined || serverAfter === undefined) {
    return { cpuUs: ownUs, wallUs, serverUs: undefined };
  }
  const serverUs = (serverAfter - serverBefore) / calls;
  return { cpuUs: ownUs + serverUs, wallUs, serverUs };
}

/** Turn by turn, the order changing every round; a first round warms both up and is dropped. */
export async function compareSides(
  sides: Readonly<Record<Variant, Side>>,
  calls: number,
  rounds: number,
): Promise<Comparison> {
  const turns: Record<Variant, Turn[]> = { plain: [], waybill: [] };
  for (const variant of variants) await takeTurn(sides[variant], calls);
  for (let round = 0; round < rounds; round++) {
    for (const variant of round % 2 === 0 ? variants : variants.toReversed()) {
      turns[variant].push(await takeTurn(sides[variant], calls));
    }
  }
  const medianOf = (variant: Variant, read: (turn: Turn) => number): number =>
    quantile(turns[variant].map(read), 0.5);
  const quotients = (read: (turn: Turn) => number): number[] =>
    turns.plain.flatMap((plain, round) => {
      const own = turns.waybill[round];
      return own === undefined ? [] : [read(own) / read(plain)];
    });
  const cpuUs = (turn: Turn): number => turn.cpuUs;
  const wallUs = (turn: Turn): number => turn.wallUs;
  const hasServer = turns.plain[0]?.serverUs !== undefined;
  return {
    plainCpuUs: medianOf("plain", cpuUs),
    waybillCpuUs: medianOf("waybill", cpuUs),
    plainWallUs: medianOf("plain", wallUs),
    waybillWallUs: medianOf("waybill", wallUs),
    cpu: spreadOf(quotients(cpuUs)),
    wall: spreadOf(quotients(wallUs)),
    serverCpu: hasServer ? spreadOf(quotients((turn) => turn.serverUs ?? Number.NaN)) : undefined,
  };
}
