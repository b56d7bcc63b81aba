// What a live preview poses: clip, layers, turned joints, copies, material variant.
import { api } from "../api/client";
import type { Clip } from "../api/types";
import { Store } from "../state/store";
import { turnedBy } from "./joint_turns";
import { addressOf, layerTexts, readLent } from "./layers";
import type { Layer, LentClip } from "./layers";
import type { PreviewState } from "./preview_state";
import type { ViewState } from "./protocol";

const fadeSeconds = 0.3;

export abstract class PoseStore extends Store<PreviewState> {
  // Sends the changes to the server; `seek`: the time that the playhead gets.
  protected abstract change(changes: Partial<ViewState>, seek?: number | null): void;

  get view(): ViewState {
    return this.value.view;
  }

  // The clip that plays, of this asset or of another one.
  get clip(): Clip | null {
    if (this.value.lent) return this.value.lent.clip;
    const clip = this.ownClip;
    return clip === null ? null : (this.value.clips[clip] ?? null);
  }

  // The index of the clip of this asset that plays.
  get ownClip(): number | null {
    const { clip } = this.view;
    return typeof clip === "number" ? clip : null;
  }

  chooseClip(clip: number | null): void {
    const playing = clip !== null && (this.view.playing || !this.clip);
    this.patch({ lent: null });
    this.change({ clip, playing, ...this.blending() }, 0);
  }

  // Plays a clip of another asset.
  playLent(lent: LentClip): void {
    this.patch({ lent, known: [lent, ...this.value.known.filter((other) => addressOf(other) !== addressOf(lent))].slice(0, 16) });
    this.change({ clip: addressOf(lent), playing: true, ...this.blending() }, 0);
  }

  // The server plays this clip on: another one cannot be shown.
  protected followClip(clip: ViewState["clip"]): void {
    if (clip === this.view.clip) return;
    const lent = this.value.known.find((other) => addressOf(other) === clip) ?? readLent(clip);
    this.patch({ lent, view: { ...this.view, clip } });
  }

  // Reads name and duration of a clip of another asset that a URL has named.
  protected async completeLent(): Promise<void> {
    const { lent } = this.value;
    if (!lent) return;
    const clips = await api.clips(lent.asset).catch(() => []);
    const clip = clips.find(({ id }) => id === lent.clip.id);
    if (!clip || this.value.lent !== lent) return;
    const complete = { ...lent, clip, assetName: (await api.asset(lent.asset).catch(() => null))?.name ?? "" };
    if (this.value.lent === lent) this.patch({ lent: complete, known: [complete] });
  }

  // A changed weight shows at once: a drag of it would begin a fade with each step.
  setLayers(layers: Layer[]): void {
    const clips = (list: Layer[]) => list.map(({ clip }) => clip).join();
    const isOtherMotion = clips(layers) !== clips(this.value.layers);
    this.patch({ layers });
    this.change(isOtherMotion ? this.blending() : { ...this.blending(), fade: 0 });
  }

  private blending(): Partial<ViewState> {
    return { layers: layerTexts(this.value.layers), fade: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : fadeSeconds };
  }

  showInstances(changes: Partial<Pick<ViewState, "crowd" | "ghosts">>): void {
    this.change(changes);
  }

  chooseVariant(variant: string | null): void {
    this.change({ variant });
  }

  // Turns the picked joint about its own axes by a drag in pixels: up and down about X, sideways about Y, or about Z. Returns
  // whether there is one.
  turnPicked(dx: number, dy: number, aboutZ: boolean): boolean {
    const node = this.value.picked?.joint?.node;
    if (node === undefined) return false;
    this.change({ turn: turnedBy(this.view.turn, node, dx, dy, aboutZ), moving: true });
    return true;
  }

  resetTurns(): void {
    this.change({ turn: [] });
  }
}
