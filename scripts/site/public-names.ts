import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The entries of the package and the files with their public lists; the first that has a name is the one pages mean. */
const entries: Readonly<Record<string, string>> = {
  waybill: "src/index.ts",
  "waybill/server": "src/doors/server/index.ts",
  "waybill/web": "src/doors/server/web.ts",
  "waybill/client": "src/doors/client/index.ts",
  "waybill/gateway": "src/doors/gateway/index.ts",
  "waybill/check": "src/doors/check/index.ts",
  "waybill/digest": "src/engine/digest/index.ts",
  "waybill/fetching": "src/engine/digest/fetching/index.ts",
  "waybill/testing": "src/doors/testing/index.ts",
  "waybill/config": "src/engine/settings/index.ts",
};

export interface PublicName {
  readonly name: string;
  readonly entry: string;
  readonly isType: boolean;
}

function namesOf(entry: string, file: string): PublicName[] {
  const text = readFileSync(`${root}${file}`, "utf8").replaceAll(/\/\/.*$|\/\*[^]*?\*\//gm, "");
  return [...text.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, allTypes, list = ""]) =>
    list.split(",").flatMap((item) => {
      const [, isType, given, renamed] = /^\s*(type )?(\w+)(?: as (\w+))?\s*$/.exec(item) ?? [];
      const name = renamed ?? given;
      return name === undefined
        ? []
        : [{ name, entry, isType: allTypes !== undefined || isType !== undefined }];
    }),
  );
}

/** Every public name of the package, with its entry; a name of several entries comes several times. */
export const publicNames: readonly PublicName[] = Object.entries(entries).flatMap(([entry, file]) =>
  namesOf(entry, file),
);
