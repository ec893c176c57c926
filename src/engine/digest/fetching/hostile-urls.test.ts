import { get } from "node:http";
import { networkInterfaces } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { ToolFault } from "../../../core/contract/tool-fault.ts";
import { createFetcher } from "./create-fetcher.ts";
import { startServer } from "./loopback-server.fixture.ts";

/** Containers often have no IPv6; the refusals do not need it, the proof that they matter does. */
const hasIPv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

const victim = await startServer((_, response) => response.end("secret"), {
  addresses: hasIPv6 ? ["127.0.0.1", "::1"] : ["127.0.0.1"],
});
afterAll(() => victim.close());

/** Every one leads a careless program to the victim: a test below proves it. */
const loopbackHosts = [
  "127.0.0.1",
  "127.0.0.1.",
  "2130706433",
  "0x7f000001",
  "0X7F000001",
  "0x7f.0.0.1",
  "0x7f.1",
  "017700000001",
  "0177.0.0.1",
  "0177.0.0.01",
  "00000177.0x0.0.1",
  "127.1",
  "127.0.1",
  "%31%32%37.0.0.1",
  "127%2e0%2e0%2e1",
  "127。0。0。1",
  "127.0.0。1",
  "127．0｡0.1",
  "１２７.0.0.1",
  "①②⑦.⓪.⓪.①",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
  "0.0.0.0",
  "0",
  "0x0",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::0.0.0.1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::FFFF:7F00:0001]",
];

/** Hosts in other networks, or in none. */
const privateHosts = [
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.254",
  "192.168.0.1",
  "3232235777",
  "0xc0a80101",
  "127.255.255.254",
  "0.1.2.3",
  "100.64.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "192.0.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  "[::127.0.0.1]",
  "[::a00:1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[::ffff:0:127.0.0.1]",
  "[::ffff:8.8.8.8]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b::169.254.169.254]",
  "[64:ff9b::8.8.8.8]",
  "[64:ff9b:1::10.0.0.1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]",
  "[2001:0:7f00:1::]",
  "[2001:0:5ef5:79fb:0:0:f5ff:fffe]",
  "[2a00:1450::5efe:10.0.0.1]",
  "[2a00:1450::200:5efe:10.0.0.1]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fd20:ce::254]",
  "[fdff::1]",
  "[ff02::1]",
  "[100::1]",
  "[2001:db8::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[3fff::1]",
  "[5f00::1]",
  "[4000::1]",
  "[e000::1]",
];

const localNames = [
  "localhost",
  "localhost.",
  "LOCALHOST",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "loc%61lhost",
  "app.localhost",
  "a.b.localhost.",
  "printer.local",
  "metadata.google.internal",
  "metadata.google.internal.",
  "db.internal",
  "router.home.arpa",
  "intranet",
  "metadata",
];

const { port } = victim;

/** URLs that are refused for something else than their host. */
const otherUrls = [
  ["file:///etc/passwd", "scheme"],
  ["file://127.0.0.1/etc/passwd", "scheme"],
  ["ftp://example.com/", "scheme"],
  ["gopher://127.0.0.1:6379/_FLUSHALL", "scheme"],
  ["data:text/plain,hello", "scheme"],
  ["blob:http://example.com/1", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["view-source:http://example.com/", "scheme"],
  ["ws://example.com/", "scheme"],
  [`dict://127.0.0.1:${port}/`, "scheme"],
  ["jar:http://example.com!/", "scheme"],
  ["http://name@example.com/", "credentials"],
  ["http://name:word@example.com/", "credentials"],
  [`http://example.com@127.0.0.1:${port}/`, "credentials"],
  [`http://example.com%2f@127.0.0.1:${port}/`, "credentials"],
  [`http://a@b@127.0.0.1:${port}/`, "credentials"],
  ["http://:word@example.com/", "credentials"],
  ["http://example.com:22/", "port"],
  ["http://example.com:6379/", "port"],
  ["https://example.com:0/", "port"],
  ["http://example.com:65535/", "port"],
  [`http:127.0.0.1:${port}`, "private_address"],
  [`http:\\\\127.0.0.1:${port}\\`, "private_address"],
  [`\thttp://127.0.0.\n1:${port}/`, "private_address"],
  [`http://127.0.0.1:${port}#@example.com/`, "private_address"],
  [`http://127.0.0.1:${port}\\@example.com/`, "private_address"],
  [`http://127.0.0.1:${port}?@example.com/`, "private_address"],
] as const;

const unreadableUrls = [
  "",
  " ",
  "example.com",
  "//example.com/",
  "http://",
  "http://.",
  "http://..",
  "http://[::1",
  "http://[fe80::1%25eth0]/",
  "http://[::1%lo]/",
  "http://1.2.3.4.5/",
  "http://256.256.256.256/",
  "http://0x100000000/",
  "http://127.0.0.1%00.example.com/",
  "http://exa mple.com/",
  "http://example.com:99999/",
  `http://example.com/${"a".repeat(9_000)}`,
];

const answers: Readonly<Record<string, readonly string[]>> = {
  "loopback.test": ["127.0.0.1"],
  "one-of-three.test": ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "127.0.0.1"],
  "first-of-two.test": ["127.0.0.1", "93.184.215.14"],
  "six.test": ["::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "mapped-hex.test": ["::ffff:7f00:1"],
  "compatible.test": ["::127.0.0.1"],
  "nat64.test": ["64:ff9b::7f00:1"],
  "zone.test": ["fe80::1%lo"],
  "any.test": ["0.0.0.0"],
  "any-six.test": ["::"],
  "metadata.test": ["169.254.169.254"],
  "azure.test": ["168.63.129.16"],
  "short.test": ["127.1"],
  "octal.test": ["0177.0.0.1"],
  "decimal.test": ["2130706433"],
  "name.test": ["localhost"],
  "empty-answer.test": [""],
  "127.0.0.1.nip.test": ["127.0.0.1"],
};

const resolve = (host: string): Promise<readonly string[]> => Promise.resolve(answers[host] ?? []);
const fetchDocument = createFetcher({ ports: [80, 443, port], resolve });

async function faultOf(url: string): Promise<ToolFault> {
  const error: unknown = await fetchDocument(url).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ToolFault);
  return error as ToolFault;
}

const hostileUrls: readonly (readonly [url: string, reason: string])[] = [
  ...[...loopbackHosts, ...privateHosts, ...Object.keys(answers)].map(
    (host) => [`http://${host}:${port}/`, "private_address"] as const,
  ),
  ...localNames.map((host) => [`http://${host}:${port}/`, "local_name"] as const),
  ...otherUrls,
];

describe("a hostile URL is refused, and nothing is connected to", () => {
  it.each(hostileUrls)("%s: %s", async (url, reason) => {
    const fault = await faultOf(url);
    expect(fault).toMatchObject({ code: "FORBIDDEN", details: { reason } });
    expect(fault.remediation).toMatch(/\w/);
    expect(JSON.stringify(fault.fault)).not.toMatch(/127\.0|169\.254|::1|secret|Error:/);
    expect(victim.connections()).toBe(0);
  });
  it.each(unreadableUrls)("%j is not a URL", async (url) => {
    expect(await faultOf(url)).toMatchObject({ code: "INVALID_FORMAT", details: { reason: "url" } });
  });
  it("a value that is not a string is not a URL", async () => {
    expect(await faultOf(undefined as unknown as string)).toMatchObject({ code: "INVALID_FORMAT" });
  });
});

describe("a host that is not on the list", () => {
  const listed = createFetcher({ allowHosts: ["example.com", "*.example.org"], resolve });
  it.each([
    "http://example.net/",
    "http://www.example.com/",
    "http://example.com.evil.test/",
    "http://evilexample.org/",
    "http://example.org/",
    "http://evil.test/?example.com",
    "http://93.184.215.14/",
  ])("%s is refused", async (url) => {
    await expect(listed(url)).rejects.toMatchObject({
      code: "FORBIDDEN",
      details: { reason: "host_not_allowed" },
    });
  });
  it.each([
    "http://example.com/",
    "http://EXAMPLE.com./",
    "http://a.example.org/",
    "http://a.b.example.org/",
  ])("%s is looked up", async (url) => {
    await expect(listed(url)).rejects.toMatchObject({ code: "NOT_FOUND", details: { reason: "host" } });
  });
});

describe("an address that the operator denies", () => {
  it.each(["http://93.184.215.14/", "http://own.test/"])(
    "is refused although it is public: %s",
    async (url) => {
      const fetcher = createFetcher({
        denyAddresses: ["93.184.215.0/24"],
        allowPrivate: ["93.184.215.14"],
        resolve: () => Promise.resolve(["93.184.215.14"]),
      });
      await expect(fetcher(url)).rejects.toMatchObject({ details: { reason: "private_address" } });
    },
  );
});

describe("names that only look hostile", () => {
  it.each([
    "localhost.example.com",
    "internal.example.com",
    "10.0.0.1.example.com",
    "mylocalhost.com",
    "notlocal.org",
    "metadata.example.com",
    "xn--bcher-kva.example",
    "192-168-0-1.example.com",
  ])("http://%s/ is looked up", async (host) => {
    await expect(fetchDocument(`http://${host}/`)).rejects.toMatchObject({ details: { reason: "host" } });
  });
});

describe("the victim", () => {
  it.each(loopbackHosts.filter((host) => hasIPv6 || !host.includes(":")))(
    "is reached by a careless program at http://%s/",
    async (host) => {
      const url = new URL(`http://${host}:${port}/`);
      const status = await new Promise((done, fail) => {
        get(url, (response) => done(response.resume().statusCode)).on("error", fail);
      });
      expect(status).toBe(200);
    },
  );
});
