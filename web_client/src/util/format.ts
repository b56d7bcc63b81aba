// Formats numbers for display.

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

// Formats meters with a suitable unit.
export function formatLength(meters: number): string {
  const size = Math.abs(meters);
  if (size === 0) return "0 m";
  if (size < 0.01) return `${(meters * 1000).toPrecision(3)} mm`;
  if (size < 1) return `${(meters * 100).toPrecision(3)} cm`;
  if (size < 1000) return `${Number(meters.toPrecision(3))} m`;
  return `${(meters / 1000).toPrecision(3)} km`;
}

// Returns a hue for a name, for placeholders: equal names have equal hues.
export function hueOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return (hash >>> 0) % 360;
}

// Usual spelling of format names.
const labels: Record<string, string> = { gltf: "glTF" };
export function formatLabel(format: string | null | undefined): string {
  return format ? (labels[format.toLowerCase()] ?? format.toUpperCase()) : "";
}

// Returns the last part of a file's path. Not for names of models, which may contain "/".
export function baseName(path: string): string {
  return path.split("/").pop() || path;
}

// Formats an error as a sentence: the server's messages begin in lower case. A leading name is not changed.
export function sentence(text: string): string {
  return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
