// Steps from key to key of the displayed clip. The server finds the keys, stops there and says between which keys the time is.
import { Store } from "../state/store";
import type { ClipChoice, KeyPlace, Stepped } from "./protocol";

const sameTime = 1e-4; // seconds

export class KeyStepper extends Store<{ clip: ClipChoice; place: KeyPlace | null }> {
  // `send`: of the session; returns false without a connection.
  constructor(private readonly send: (steps: number) => boolean) {
    super({ clip: null, place: null });
  }

  step(direction: 1 | -1): void {
    this.send(direction);
  }

  stepped({ clip, at }: Stepped): void {
    this.patch({ clip, place: at });
  }

  // The last step, while its pose is displayed.
  at(clip: ClipChoice, time: number): KeyPlace | null {
    const { place } = this.value;
    return place && clip === this.value.clip && Math.abs(place.time - time) < sameTime ? place : null;
  }
}
