import { crc32, deflateSync } from "node:zlib";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A grey PNG of this size that decodes; `noise` fills it with bytes that do not compress. */
export function makePng(width: number, height: number, noise = false): string {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey a pixel.
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  let state = 1;
  if (noise)
    for (let at = 0; at < rows.length; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      rows[at] = at % (width + 1) === 0 ? 0 : state & 0xff;
    }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]).toString("base64");
}
