import { describe, expect, it } from "vitest";
import { cacheFolders } from "../../src/start/cache-folders.ts";

const linux = { platform: "linux", env: {}, home: "/home/ada", dist: "/opt/carabiner/dist" } as const;

describe("where compiled code is kept", () => {
  it("is beside the bundle first, then where the user's caches are on this system", () => {
    expect(cacheFolders(linux)).toEqual(["/opt/carabiner/dist/cache", "/home/ada/.cache/carabiner"]);
    expect(cacheFolders({ ...linux, platform: "darwin" })[1]).toBe("/home/ada/Library/Caches/carabiner");
    expect(cacheFolders({ ...linux, platform: "win32", home: "C:\\Users\\Ada", dist: "C:\\c\\dist" })).toEqual([
      "C:\\c\\dist\\cache",
      "C:\\Users\\Ada\\AppData\\Local\\carabiner",
    ]);
  });

  it("follows the variables that name another folder, unless they are relative", () => {
    expect(cacheFolders({ ...linux, env: { XDG_CACHE_HOME: "/var/tmp/ada" } })[1]).toBe("/var/tmp/ada/carabiner");
    expect(cacheFolders({ ...linux, env: { XDG_CACHE_HOME: "cache" } })[1]).toBe("/home/ada/.cache/carabiner");
    const windows = { ...linux, platform: "win32", home: "C:\\Users\\Ada" } as const;
    expect(cacheFolders({ ...windows, env: { LOCALAPPDATA: "D:\\Local" } })[1]).toBe("D:\\Local\\carabiner");
  });
});
