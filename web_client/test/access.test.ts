import { beforeEach, describe, expect, it, vi } from "vitest";

import type { Me } from "../src/api/types";

const me: Me = { kind: "user", id: "u", name: "maya", displayName: null, email: null, provider: null, role: "viewer", collections: [], expiresAt: null, shared: null, address: "127.0.0.1" };

// A page of the person; null: the server does not say.
async function accessOf(changes: Partial<Me> | null) {
  vi.stubGlobal("fetch", () => Promise.resolve(changes ? new Response(JSON.stringify({ ...me, ...changes })) : new Response("{}", { status: 404 })));
  const { access } = await import("../src/state/access");
  const before = access.mayEdit;
  await access.ready;
  return { access, before };
}

beforeEach(() => void vi.resetModules());

describe("what is offered", () => {
  it("is nothing to change before the role is known", async () => {
    const { access, before } = await accessOf({ role: "editor" });
    expect(before).toBe(false);
    expect(access.mayEdit).toBe(true);
  });

  it("follows the role for the library", async () => {
    const { access } = await accessOf({});
    expect([access.mayEdit, access.canShare, access.isAdmin, access.mayChange({ role: "viewer" }), access.mayRemove({})]).toEqual([false, false, false, false, false]);
  });

  it("follows roles for collections", async () => {
    const { access } = await accessOf({ role: "member", collections: [{ collection: "c", role: "editor" }] });
    expect(access.hasGrants).toBe(true);
    expect([access.mayEdit, access.canShare]).toEqual([false, false]);
    expect([access.mayChange({ role: "editor" }), access.mayChange({ role: "viewer" }), access.mayChange(null)]).toEqual([true, false, false]);
    expect([access.mayRemove({ role: "editor" }), access.mayRemove({ role: "admin" })]).toEqual([false, true]);
    expect([access.mayGrant({ role: "editor" }), access.mayGrant({ role: "admin" })]).toEqual([false, true]);
  });

  it("is everything to editors, but access to admins alone", async () => {
    const { access } = await accessOf({ role: "editor" });
    expect([access.mayEdit, access.canShare, access.mayRemove({}), access.mayGrant({}), access.isAdmin]).toEqual([true, true, true, false, false]);
  });

  it("is left to the server if it does not say who this is", async () => {
    const { access } = await accessOf(null);
    expect([access.mayEdit, access.canShare, access.isAdmin]).toEqual([true, false, false]);
  });
});
