import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** A certificate for localhost, signed by itself, as `openssl` makes it. */
export function makeCertificate(folder: string): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-x509", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const { status, stderr } = spawnSync("openssl", ["req", ...kind, ...names, "-keyout", key, "-out", cert]);
  if (status !== 0) throw new Error(String(stderr));
  return { key, cert };
}
