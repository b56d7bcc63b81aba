// Numbers as people read them.

export function formatCount(value: number): string {
  if (value < 10_000) return value.toLocaleString("en");
  if (value < 1_000_000) return `${trimmed(value / 1000)} k`;
  return `${trimmed(value / 1_000_000)} M`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${trimmed(value)} ${units[unit]}`;
}

function trimmed(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, "");
}

export function formatSeconds(seconds: number, digits = 2): string {
  return seconds.toFixed(digits);
}

// Metres with a unit that fits.
export function formatLength(metres: number): string {
  const size = Math.abs(metres);
  if (size === 0) return "0 m";
  if (size < 0.01) return `${(metres * 1000).toPrecision(3)} mm`;
  if (size < 1) return `${(metres * 100).toPrecision(3)} cm`;
  if (size < 1000) return `${Number(metres.toPrecision(3))} m`;
  return `${(metres / 1000).toPrecision(3)} km`;
}

// A quiet hue from a name, for placeholders: the same asset always looks the same.
export function hueOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) % 360;
}

// Formats as their people write them.
const labels: Record<string, string> = { gltf: "glTF" };
export function formatLabel(format: string | null | undefined): string {
  return format ? (labels[format.toLowerCase()] ?? format.toUpperCase()) : "";
}

// The last part of a file's path. Names of models are no paths: a "/" in them is theirs.
export function baseName(path: string): string {
  return path.split("/").pop() || path;
}

// What went wrong, as a sentence of a page: the server's begin small. A name at its start stays as it is.
export function sentence(text: string): string {
  return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
