import { describe, expect, it } from "vitest";
import { parseAddress, readPrivatePermits } from "./address.ts";

/** Whether the entry lets a URL on this host and port connect to this address; 80 is the port that any URL may name. */
function covers(entry: string, address: string, host = "name.test", port = 80): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) throw new Error("the test needs an address");
  return readPrivatePermits([entry]).cover({ host, port, isUsualPort: port === 80 }, parsed);
}

describe("readPrivatePermits", () => {
  it.each([
    ["10.0.0.0/8", "10.1.2.3"],
    ["10.1.2.3", "10.1.2.3"],
    ["fd00::/8", "fd12::1"],
    ["0.0.0.0/0", "127.0.0.1"],
    ["169.254.169.254", "169.254.169.254"],
    ["64:ff9b::/96", "64:ff9b::8.8.8.8"],
    ["::ffff:127.0.0.1", "::ffff:127.0.0.1"],
    ["name.test:80", "10.1.2.3"],
    ["NAME.test.:80", "10.1.2.3"],
    ["127.0.0.1:80", "127.0.0.1"],
    ["127.1:80", "127.0.0.1"],
    ["[::1]:80", "::1"],
  ])("%s covers %s", (entry, address) => {
    expect(covers(entry, address)).toBe(true);
  });

  it.each([
    ["10.0.0.0/8", "11.0.0.0"],
    ["10.1.2.3", "10.1.2.4"],
    ["127.0.0.0/8", "::ffff:127.0.0.1"],
    ["127.0.0.0/8", "::1"],
    ["other.test:80", "10.1.2.3"],
    ["127.0.0.1:81", "127.0.0.1"],
  ])("%s does not cover %s", (entry, address) => {
    expect(covers(entry, address)).toBe(false);
  });

  it.each([
    ["0.0.0.0/0", "169.254.169.254"],
    ["100.64.0.0/10", "100.100.100.200"],
    ["::/0", "fd00:ec2::254"],
    ["name.test:80", "169.254.169.254"],
    ["::/0", "::ffff:169.254.169.254"],
    ["64:ff9b::/96", "64:ff9b::10.0.0.1"],
    ["name.test:80", "64:ff9b::169.254.169.254"],
  ])("%s, wide as it is, does not cover %s", (entry, address) => {
    expect(covers(entry, address)).toBe(false);
  });

  it("a port in an entry is a port for that place alone", () => {
    expect(covers("127.0.0.1:8080", "127.0.0.1", "name.test", 8080)).toBe(true);
    expect(covers("127.0.0.0/8", "127.0.0.1", "name.test", 8080)).toBe(false);
    expect(covers("name.test:8080", "127.0.0.1", "other.test", 8080)).toBe(false);
  });
});
