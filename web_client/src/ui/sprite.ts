// The animated thumbnail: one sprite sheet, whose frame is selected by pointer position or time.
import { api, assetUrl } from "../api/client";
import type { SpriteManifest } from "../api/types";
import { spriteFrameAtFraction, spriteFrameAtTime } from "../preview/playback";

const query = "frames=24&size=256";
// Cards visited before start immediately; the sheets are in the browser's cache.
const manifests = new Map<string, SpriteManifest>();
const kept = 200;

export interface Sheet {
  manifest: SpriteManifest;
  image: HTMLImageElement;
}

export async function loadSheet(assetId: string, version: number | undefined, signal: AbortSignal): Promise<Sheet> {
  const key = `${assetId}/${version ?? 0}`;
  const manifest = manifests.get(key) ?? (await api.spriteManifest(assetId, query, signal));
  manifests.set(key, manifest);
  if (manifests.size > kept) manifests.delete(manifests.keys().next().value as string);
  const image = new Image();
  image.src = manifest.url || assetUrl(assetId, `/sprite?${query}`);
  await image.decode();
  return { manifest, image };
}

// Draws on a canvas. Plays until the pointer moves over it, and continues when the pointer rests.
export class SpritePlayer {
  private frame = -1;
  private raf = 0;
  private offset = 0;
  private startedAt = performance.now();
  private scrubbedAt = -Infinity;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly sheet: Sheet,
    still: boolean,
  ) {
    canvas.width = sheet.manifest.frameWidth;
    canvas.height = sheet.manifest.frameHeight;
    this.draw(0);
    if (!still) this.raf = requestAnimationFrame(this.tick);
  }

  scrub(fraction: number): void {
    const { frames, duration } = this.sheet.manifest;
    this.scrubbedAt = performance.now();
    this.draw(spriteFrameAtFraction(frames, fraction));
    this.offset = (this.frame / frames) * (duration > 0 ? duration : frames / 12);
  }

  stop(): void {
    cancelAnimationFrame(this.raf);
  }

  private readonly tick = (now: number): void => {
    const resting = now - this.scrubbedAt > 500;
    if (!resting) this.startedAt = now;
    else {
      const { frames, duration } = this.sheet.manifest;
      this.draw(spriteFrameAtTime(frames, duration, this.offset + (now - this.startedAt) / 1000));
    }
    this.raf = requestAnimationFrame(this.tick);
  };

  private draw(frame: number): void {
    if (frame === this.frame) return;
    this.frame = frame;
    const { columns, frameWidth, frameHeight } = this.sheet.manifest;
    const context = this.canvas.getContext("2d");
    context?.clearRect(0, 0, frameWidth, frameHeight);
    context?.drawImage(
      this.sheet.image,
      (frame % columns) * frameWidth,
      Math.floor(frame / columns) * frameHeight,
      frameWidth,
      frameHeight,
      0,
      0,
      frameWidth,
      frameHeight,
    );
    this.canvas.dataset.frame = String(frame);
  }
}
