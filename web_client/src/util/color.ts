// Base colors are linear in the API, as defined by glTF; CSS needs sRGB.
export function cssColor(linear: number[] | undefined): string {
  const [red = 0.8, green = 0.8, blue = 0.8] = linear ?? [];
  return `#${[red, green, blue].map((value) => encoded(value).toString(16).padStart(2, "0")).join("")}`;
}

function encoded(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  const curve = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(curve * 255);
}
