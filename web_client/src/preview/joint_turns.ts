// Joints turned by hand, as the parameter `turn` of the API: "NODE:x,y,z", degrees about the joint's own axes.

const degreesPerPixel = 0.5;

function wrapped(degrees: number): number {
  return Math.round((((degrees + 180) % 360 + 360) % 360 - 180) * 10) / 10;
}

export function turnOf(turns: readonly string[], node: number): [number, number, number] {
  const text = turns.find((turn) => turn.startsWith(`${node}:`));
  const [x = 0, y = 0, z = 0] = (text?.slice(text.indexOf(":") + 1) ?? "").split(",").map(Number);
  return [x, y, z];
}

// Returns the list after a drag on the joint, in pixels: up and down turn it about X, sideways about Y, or about Z.
export function turnedBy(turns: readonly string[], node: number, dx: number, dy: number, aboutZ: boolean): string[] {
  const [x, y, z] = turnOf(turns, node);
  const next = aboutZ
    ? [x, y, wrapped(z + dx * degreesPerPixel)]
    : [wrapped(x + dy * degreesPerPixel), wrapped(y + dx * degreesPerPixel), z];
  const others = turns.filter((turn) => !turn.startsWith(`${node}:`));
  return next.every((degrees) => degrees === 0) ? others : [...others, `${node}:${next.join(",")}`];
}
