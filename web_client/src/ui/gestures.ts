// Converts pointer, wheel and pinch input on the canvas into camera changes.
import type { PreviewStore } from "../preview/preview_store";

interface Point {
  x: number;
  y: number;
}

const wheelLinePixels = 16;
const clickPixels = 4; // maximum movement of a click

export class Gestures {
  private readonly pointers = new Map<number, Point>();
  private panning = false;
  private turning = false; // the picked joint, with the right button
  private click: Point | null = null; // start of a press that may become a click
  private readonly abort = new AbortController();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly model: PreviewStore,
  ) {
    const { signal } = this.abort;
    canvas.addEventListener("pointerdown", (event) => this.down(event), { signal });
    canvas.addEventListener("pointermove", (event) => this.moved(event), { signal });
    for (const name of ["pointerup", "pointercancel"] as const) canvas.addEventListener(name, (event) => this.up(event), { signal });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    canvas.addEventListener("dblclick", () => this.model.fit(), { signal });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  }

  release(): void {
    this.abort.abort();
  }

  private down(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.click = this.pointers.size === 1 && event.button === 0 && !event.shiftKey ? { x: event.clientX, y: event.clientY } : null;
    this.panning = event.button === 2 || event.button === 1 || event.shiftKey;
    this.turning = event.button === 2;
    if (event.button === 1) event.preventDefault();
  }

  private moved(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    if (this.click) {
      if (Math.hypot(now.x - this.click.x, now.y - this.click.y) <= clickPixels) return;
      this.click = null;
    }
    if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
    else if (this.pointers.size === 1) this.drag(now.x - before.x, now.y - before.y, event.altKey);
    this.pointers.set(event.pointerId, now);
  }

  private drag(dx: number, dy: number, alt: boolean): void {
    if (dx === 0 && dy === 0) return;
    if (this.turning && this.model.turnPicked(dx, dy, alt)) return;
    if (this.panning) this.model.pan(dx, dy);
    else this.model.orbit(dx, dy);
  }

  private pick(at: Point): void {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    const share = (value: number, size: number) => Math.min(1, Math.max(0, value / Math.max(1, size)));
    this.model.pick(share(at.x - left, width), share(at.y - top, height));
  }

  // Two fingers: distance zooms, midpoint pans.
  private pinch(id: number, before: Point, now: Point): void {
    const other = [...this.pointers.entries()].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const apart = Math.hypot(now.x - other.x, now.y - other.y);
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    if (apart > 4 && was > 4) this.model.zoom(was / apart);
    this.model.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  private up(event: PointerEvent): void {
    if (this.click && event.type === "pointerup") this.pick(this.click);
    this.click = null;
    this.pointers.delete(event.pointerId);
    if (this.pointers.size === 0) this.model.rest();
  }

  // A trackpad's pinch is a wheel event with Ctrl and small steps.
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * wheelLinePixels : event.deltaY;
    const strength = event.ctrlKey ? 0.01 : 0.0016;
    this.model.zoom(Math.exp(Math.max(-240, Math.min(240, pixels)) * strength));
  }
}
