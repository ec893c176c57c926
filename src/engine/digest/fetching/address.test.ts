import { describe, expect, it } from "vitest";
import { isPublicAddress, parseAddress } from "./address.ts";

function isPublic(text: string): boolean | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : isPublicAddress(address);
}

describe("isPublicAddress", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:81b::200e",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2620:fe::fe",
  ])("%s is", (text) => {
    expect(isPublic(text)).toBe(true);
  });

  it.each([
    "0.255.255.255",
    "1fff:ffff::",
    "::",
    "::8.8.8.8",
    "::ffff:8.8.8.8",
    "2002:808:808::",
    "2001::1",
    "4000::",
  ])("%s is not", (text) => {
    expect(isPublic(text)).toBe(false);
  });

  it.each([
    "",
    "127.1",
    "010.0.0.1",
    "2130706433",
    "0x7f000001",
    "fe80::1%eth0",
    "2606:4700::1%1",
    "[::1]",
    "1.1.1.1 ",
  ])("%j is no address that could be connected to as it was checked", (text) => {
    expect(isPublic(text)).toBeUndefined();
  });
});
