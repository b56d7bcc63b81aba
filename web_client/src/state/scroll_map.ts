// Scrolling of content that is higher than a browser allows an element to be (Firefox: 17.8 million pixels). The element has at most
// `maxHeight`; a position in the content is that of the scroll bar plus an offset. Steps smaller than the window move the content by
// the same pixels; a drag of the scroll bar moves it in proportion.
export const maxHeight = 8_000_000;

export class ScrollMap {
  private real = 0; // heights, pixels
  private view = 1;
  private physical = 0;
  private shift = 0;

  // Position of the content's top relative to the element's.
  get offset(): number {
    return this.shift;
  }

  get height(): number {
    return Math.min(this.real, maxHeight);
  }

  // `real`: height of the content; `view`: of the window.
  resize(real: number, view: number): void {
    this.real = real;
    this.view = view;
    if (real <= maxHeight) this.shift = 0;
  }

  // Returns the position in the content after the element was scrolled.
  scrolled(physical: number): number {
    const dragged = Math.abs(physical - this.physical) > this.view;
    if (dragged && this.real > maxHeight) this.shift = physical * this.stretch - physical;
    this.physical = physical;
    return physical + this.shift;
  }

  // Returns whether the scroll bar has an end that the content has not: then reach() the same position again.
  get isBlocked(): boolean {
    const position = this.physical + this.shift;
    return (this.physical <= 0 && position > 0) || (this.physical >= this.range && position < this.real - this.view);
  }

  // Returns where to scroll the element for a position in the content.
  reach(position: number): number {
    const wanted = Math.max(0, Math.min(position, this.real - this.view));
    this.physical = this.real <= maxHeight ? wanted : wanted / this.stretch;
    this.shift = wanted - this.physical;
    return this.physical;
  }

  private get range(): number {
    return Math.max(1, this.height - this.view);
  }

  private get stretch(): number {
    return Math.max(1, this.real - this.view) / this.range;
  }
}
