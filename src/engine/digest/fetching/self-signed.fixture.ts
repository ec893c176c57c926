import { createHash, generateKeyPairSync, sign } from "node:crypto";

/** DER, as far as a certificate needs it: a tag, a length, the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value, "latin1"));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));

const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const ALTERNATIVE_NAMES = "551d11";

/** A key and a certificate for these names, good until 2049, signed by itself. */
export function selfSigned(...names: readonly string[]): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const algorithm = sequence(oid(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), text(0x0c, names[0] ?? ""))));
  const serial = Buffer.concat([Buffer.from([1]), createHash("sha256").update(spki).digest().subarray(0, 8)]);
  const alternatives = sequence(...names.map((entry) => text(0x82, entry)));
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    algorithm,
    name,
    sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z")),
    name,
    spki,
    der(0xa3, sequence(sequence(oid(ALTERNATIVE_NAMES), der(0x04, alternatives)))),
  );
  const signature = sign("sha256", toSign, privateKey);
  const certificate = sequence(toSign, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = certificate.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
