import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Asset, Job } from "../src/api/types";
import { wholeAsset, wholeJob } from "./shapes";

const answers = vi.hoisted(() => ({ status: "importing" as "importing" | "ready" }));
vi.mock("../src/api/client", async (original) => ({
  ...(await original<object>()),
  api: {
    asset: async (id: string): Promise<Asset> => (wholeAsset(id, { status: answers.status })),
    job: async (id: string): Promise<Job> => wholeJob("a", { id, state: answers.status === "ready" ? "succeeded" : "running" }),
  },
}));
vi.mock("../src/state/library_store", () => ({ library: { onEvent: () => () => undefined }, sentenceOf: String }));
vi.mock("../src/upload/remembered", async (original) => ({ ...(await original<object>()), heldUploads: async () => new Set(), readRemembered: () => [] }));

class FakeRequest {
  static last: FakeRequest;
  upload = {};
  status = 201;
  responseText = "";
  onload: () => void = () => undefined;
  constructor() {
    FakeRequest.last = this;
  }
  open() {}
  setRequestHeader() {}
  send() {}
}

describe("uploads of a page without events", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("XMLHttpRequest", FakeRequest);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it("ask for the state of their imports until these have ended", async () => {
    const { uploads } = await import("../src/upload/driver");
    uploads.add([{ path: "a.glb", file: new File(["glTF"], "a.glb") }]);
    FakeRequest.last.responseText = JSON.stringify({ items: [{ asset: wholeAsset("a", { status: "importing" }), job: { id: "j" } }] });
    FakeRequest.last.onload();
    await vi.advanceTimersByTimeAsync(12_000);
    expect(uploads.value.uploads[0]!.phase).toBe("importing");
    answers.status = "ready";
    await vi.advanceTimersByTimeAsync(6000);
    expect(uploads.value.uploads[0]!.phase).toBe("done");
    expect(vi.getTimerCount()).toBe(0);
  });
});
