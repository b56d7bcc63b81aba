// State of one live preview and all changes to it: camera, playback, overlays. Two stores, because the playhead changes with
// every frame and the rest does not. The session sends the state to the server; the server's frames are received here.
import { assetUrl } from "../api/client";
import type { Rejection } from "../api/client";
import type { Bounds, Clip } from "../api/types";
import { Store } from "../state/store";
import * as camera from "./camera";
import type { Preset } from "./camera";
import { Painter } from "./frame_painter";
import { KeyStepper } from "./key_stepper";
import { clampTime, stepFrame } from "./playback";
import { changesFrame, overlayName, viewDifference, withOverlay, withoutOverlay } from "./protocol";
import type { CameraView, PreviewFrame, Hello, Look, LoopMode, Overlay, OverlayName, ServerMessage, ViewState } from "./protocol";
import { initialState } from "./preview_state";
import type { LiveState } from "./preview_state";
import { PoseStore } from "./pose_store";
import { pictureQuery, thumbnailUrl } from "./url";
import type { PictureOptions } from "./url";
import { PreviewSession } from "./session";
import type { Connection, PreviewListener } from "./session";

const unitBounds: Bounds = { min: [-1, -1, -1], max: [1, 1, 1] };

export class PreviewStore extends PoseStore implements PreviewListener {
  readonly live = new Store<LiveState>({ time: 0, bounds: null, reading: null, codec: null, scale: 1, serverMs: 0 });
  private readonly session: PreviewSession;
  readonly keys = new KeyStepper((steps) => this.session.step(steps));
  private painter: Painter | null = null;
  home: CameraView = camera.initialCamera; // the initial view of this model; other views are stored in the URL
  private frontYaw = 0; // degrees; the model's front is seen from there
  private bounds: Bounds | null;
  private framed: camera.Boxes | null = null; // sent by the server with its frames
  private restTimer = 0;
  private meterTimer = 0;
  private scrubbing = false;
  private resumeAfterScrub = false;
  private seekGuard = 0; // frames with an older playhead than the last seek must not reset it
  private newestPick = 0;

  constructor(
    readonly asset: string,
    view: Partial<ViewState>,
    clips: Clip[],
    bounds: Bounds | null,
    time: number,
  ) {
    super(initialState(view, clips));
    this.bounds = bounds;
    this.live.patch({ time });
    void this.completeLent();
    this.session = new PreviewSession(() => this.previewUrl(), this);
  }

  // URLs of what is shown: of the live preview, of a picture of the view, and of what is displayed before that.
  protected previewUrl(): string {
    return assetUrl(this.asset, "/preview");
  }

  pictureUrl(options: PictureOptions): string {
    const { variant = this.view.variant } = options;
    return assetUrl(this.asset, `/render?${pictureQuery({ ...this.view, variant }, this.live.value.time, options)}`);
  }

  thumbnailUrl(variant: string | null): string {
    return thumbnailUrl(this.asset, variant);
  }

  start(canvas: HTMLCanvasElement): void {
    this.painter = new Painter(canvas);
    this.session.open();
    this.meterTimer = window.setInterval(() => this.live.patch({ reading: this.session.meter.read(performance.now()) }), 500);
  }

  stop(): void {
    clearInterval(this.meterTimer);
    clearTimeout(this.restTimer);
    this.session.close();
    this.painter?.close();
  }

  setClips(clips: Clip[]): void {
    if (clips.length > 0) this.patch({ clips });
  }

  resize(width: number, height: number, devicePixelRatio: number): void {
    this.change({ width, height, devicePixelRatio });
  }

  // Camera. Every change during a drag sets `moving`; it is reset automatically.
  orbit(dx: number, dy: number): void {
    this.move(camera.orbit(this.view.camera, dx, dy, this.view.height));
  }

  pan(dx: number, dy: number): void {
    this.move(camera.pan(this.view.camera, dx, dy, this.view.height, this.framing, this.aspect));
  }

  zoom(factor: number): void {
    this.move(camera.zoom(this.view.camera, factor, this.framing, this.aspect));
  }

  fit(): void {
    this.change({ camera: camera.fit(this.view.camera) });
  }

  preset(name: Preset): void {
    this.change({ camera: camera.presetView(this.view.camera, name, this.home, this.frontYaw) });
  }

  rest(): void {
    clearTimeout(this.restTimer);
    this.change({ moving: false });
  }

  private move(next: CameraView): void {
    this.change({ camera: next, moving: true });
    clearTimeout(this.restTimer);
    this.restTimer = window.setTimeout(() => this.rest(), 160);
  }

  // The picked surface may not be there any more.
  chooseLook(look: Partial<Look>): void {
    this.change(look);
    this.forgetPicked();
  }

  // Playback.
  togglePlay(): void {
    if (!this.clip) return;
    const ended = this.view.loop === "once" && this.live.value.time >= this.clip.duration - 1e-3;
    this.change({ playing: !this.view.playing }, !this.view.playing && ended ? 0 : null);
  }

  seek(time: number): void {
    this.change({ playing: false }, clampTime(this.clip, time));
  }

  step(direction: 1 | -1): void {
    this.seek(stepFrame(this.clip, this.live.value.time, direction));
  }

  beginScrub(): void {
    this.scrubbing = true;
    this.resumeAfterScrub = this.view.playing;
  }

  scrub(time: number): void {
    this.change({ playing: false, moving: true }, clampTime(this.clip, time));
  }

  endScrub(): void {
    if (!this.scrubbing) return;
    this.scrubbing = false;
    this.change({ moving: false, playing: this.resumeAfterScrub });
  }

  setSpeed(speed: number): void {
    this.change({ speed });
  }

  setLoop(loop: LoopMode): void {
    this.change({ loop });
  }

  hasOverlay(name: OverlayName): boolean {
    return this.view.overlays.some((overlay) => overlayName(overlay) === name);
  }

  // Returns whether it is on after the call.
  toggleOverlay(name: OverlayName): boolean {
    const on = !this.hasOverlay(name);
    this.change({ overlays: on ? withOverlay(this.view.overlays, name) : withoutOverlay(this.view.overlays, name) });
    return on;
  }

  // Toggles the heat map or the path of one joint. Returns whether it is on after the call.
  toggleOverlayOf(name: "weights" | "trails", node: number): boolean {
    const overlay: Overlay = `${name}:${node}`;
    const on = !this.view.overlays.includes(overlay);
    this.change({ overlays: on ? withOverlay(this.view.overlays, overlay) : withoutOverlay(this.view.overlays, name) });
    return on;
  }

  // Picks the surface at this point; 0..1 from the top left. The result is stored in `picked`.
  pick(x: number, y: number): void {
    if (this.value.hasFrame) this.session.pick(++this.newestPick, x, y);
  }

  forgetPicked(): void {
    if (this.value.picked) this.patch({ picked: null });
  }

  setBackground(background: string | null): void {
    this.change({ background });
  }

  protected change(changes: Partial<ViewState>, seek: number | null = null): void {
    const before = this.view;
    // The frame at this time is displayed already: no new frame would follow.
    if (seek === this.live.value.time && !before.playing && this.value.hasFrame) seek = null;
    this.patch({ view: { ...before, ...changes }, problem: null });
    if (seek !== null) {
      this.live.patch({ time: seek });
      this.seekGuard = performance.now() + 1000;
    }
    if (seek !== null || changesFrame(viewDifference(before, this.view))) this.mark(false);
    this.session.requestView(this.view, seek);
  }

  // For tests: marks that the displayed frame is the requested one at full quality.
  private mark(settled: boolean): void {
    if (this.painter) this.painter.canvas.dataset.settled = settled ? "yes" : "no";
  }

  private get aspect(): number {
    return this.view.width / Math.max(1, this.view.height);
  }

  // Framing of the displayed frame; before the first frame, the static bounds.
  private get framing(): camera.Boxes {
    const bounds = this.bounds ?? unitBounds;
    return this.framed ?? { bounds, fit: bounds };
  }

  readonly project = (position: readonly number[]) => camera.project(position, this.view.camera, this.framing, this.aspect);

  // Implementation of PreviewListener.
  show(frame: PreviewFrame): Promise<void> {
    return this.painter?.show(frame) ?? Promise.resolve();
  }

  shown(frame: PreviewFrame): void {
    if (!this.value.hasFrame) this.patch({ hasFrame: true });
    if (this.painter) this.painter.canvas.dataset.codec = frame.codec;
    this.mark(frame.fullQuality && this.session.isNewest(frame));
    const time = this.playhead(frame.time);
    this.live.patch({ time, bounds: frame.bounds, codec: frame.codec, serverMs: (frame.renderMicros + frame.encodeMicros) / 1000 });
  }

  private playhead(shown: number): number {
    if (this.scrubbing) return this.live.value.time;
    const near = Math.abs(shown - this.live.value.time) < 1e-3;
    if (near || this.view.playing) this.seekGuard = 0;
    return performance.now() < this.seekGuard ? this.live.value.time : shown;
  }

  message(message: ServerMessage): void {
    switch (message.type) {
      case "hello":
        this.bounds = message.bounds ?? this.bounds;
        this.applyServerCamera(message);
        this.useVariants(message.variants ?? [], message.levels ?? 1);
        this.patch({ device: message.device, frames: message.frames ?? 0, clips: this.value.clips.length ? this.value.clips : message.clips, problem: null });
        // A new session has no state: sends all of it, with the displayed time.
        this.session.requestView(this.view, this.live.value.time);
        break;
      case "framing":
        this.framed = message;
        break;
      case "state":
        this.live.patch({ time: message.time });
        this.followClip(message.clip);
        this.patch({ view: { ...this.view, playing: message.playing } });
        break;
      case "stats":
        this.live.patch({ scale: message.scale ?? 1 });
        break;
      case "picked":
        if (message.id === this.newestPick) this.patch({ picked: message.hit });
        break;
      case "row":
        break; // RowStore
      case "stepped":
        this.keys.stepped(message);
        break;
      case "problem":
        this.patch({ problem: message.detail ?? message.code });
        break;
    }
  }

  // Rotates to the server's view only until the user has selected a view.
  private applyServerCamera({ camera: first }: Hello): void {
    if (!first) return;
    this.home = { ...camera.initialCamera, yaw: first.yaw, pitch: first.pitch };
    this.frontYaw = first.frontYaw ?? 0;
    if (this.view.camera === camera.initialCamera) this.patch({ view: { ...this.view, camera: this.home } });
  }

  // The server rejects a view with an unknown variant or level, for example from an old URL.
  private useVariants(variants: string[], levels: number): void {
    const { variant, lod } = this.view;
    const known = variant !== null && variants.includes(variant);
    this.patch({ variants, levels, view: { ...this.view, variant: known ? variant : null, lod: lod !== null && lod < levels ? lod : null } });
  }

  connection(connection: Connection, rejection: Rejection | null = null): void {
    this.patch({ connection, rejection });
  }
}
