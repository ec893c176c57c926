import { describe, expect, it } from "vitest";
import { browserCommand } from "./open-browser.ts";

const address = new URL("https://as.example/auth?a=1&b=2");
const at = (env: Record<string, string>, platform: NodeJS.Platform, url = address) =>
  browserCommand(url, { env }, platform);

describe("browserCommand", () => {
  it("gives the address as one word to the program of the platform, without a shell", () => {
    expect(at({}, "darwin")).toEqual(["open", address.href]);
    expect(at({}, "win32")).toEqual(["rundll32", "url.dll,FileProtocolHandler", address.href]);
    expect(at({ DISPLAY: ":0" }, "linux")).toEqual(["xdg-open", address.href]);
    expect(at({ WAYLAND_DISPLAY: "wayland-0" }, "linux")).toEqual(["xdg-open", address.href]);
    expect(at({ BROWSER: "firefox", SSH_CONNECTION: "x" }, "linux")).toEqual(["firefox", address.href]);
  });

  it("opens nothing where the user has no browser, and nothing but a page", () => {
    expect(at({}, "linux")).toBeUndefined();
    expect(at({ SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "darwin")).toBeUndefined();
    expect(at({}, "darwin", new URL("file:///etc/passwd"))).toBeUndefined();
    expect(at({ BROWSER: "firefox" }, "linux", new URL("javascript:alert(1)"))).toBeUndefined();
  });
});
