// Shared actions on the page.
import { until } from "./browser.mjs";

export const canvas = (page) => page.locator("vt-viewport canvas");

// Returns a fingerprint of the image, its number of colors and the color of its center. The canvas itself cannot be read back, a
// copy can.
export function canvasImage(page) {
  return canvas(page).evaluate((source) => {
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [96, 64];
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(source, 0, 0, 96, 64);
    const { data } = context.getImageData(0, 0, 96, 64);
    const colors = new Set();
    let hash = 7;
    for (let at = 0; at < data.length; at += 4) {
      colors.add((data[at] >> 4) * 256 + (data[at + 1] >> 4) * 16 + (data[at + 2] >> 4));
      hash = (Math.imul(hash, 31) + (data[at] >> 3) * 1024 + (data[at + 1] >> 3) * 32 + (data[at + 2] >> 3)) | 0;
    }
    const middle = (32 * 96 + 48) * 4;
    return { hash, colors: colors.size, center: [...data.slice(middle, middle + 3)], width: source.width, height: source.height };
  });
}

export async function firstFrame(page) {
  await page.locator("vt-viewport canvas[data-frame=yes]").waitFor();
  return until(async () => {
    const now = await canvasImage(page);
    return now.colors >= 8 ? now : null;
  }, "an image that is not blank");
}

// Waits until two consecutive frames show the newest view at full quality.
export async function stillFrame(page) {
  let last = null;
  return until(async () => {
    await page.locator("vt-viewport canvas[data-settled=yes]").waitFor();
    const now = await canvasImage(page);
    const still = last === now.hash ? now : null;
    last = now.hash;
    return still;
  }, "an image at rest");
}

export async function changedFrame(page, before, what) {
  return until(async () => {
    const now = await canvasImage(page);
    return now.hash !== before.hash ? now : null;
  }, what);
}

export function currentTime(page) {
  return page.getByRole("slider", { name: "Position" }).evaluate((slider) => Number(slider.getAttribute("aria-valuenow")));
}

export async function pause(page) {
  const button = page.getByRole("button", { name: "Pause" });
  if (await button.count()) await button.click();
  await page.getByRole("button", { name: "Play" }).waitFor();
}

// Simulates dragging files over the window and dropping them.
export async function drag(page, files, steps) {
  await page.evaluate(
    ({ files, steps }) => {
      const transfer = new DataTransfer();
      for (const file of files) {
        const bytes = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], file.name));
      }
      for (const step of steps) document.body.dispatchEvent(new DragEvent(step, { bubbles: true, composed: true, cancelable: true, dataTransfer: transfer }));
    },
    { files: files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString("base64") })), steps },
  );
}

export function card(page, name) {
  return page.locator("vt-card").filter({ hasText: name });
}

// A cube with its material, with new content on each call.
export function freshCube(name) {
  const note = `# ${name} ${Date.now()} ${Math.random()}\n`;
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => `v ${index & 1} ${(index >> 1) & 1} ${index >> 2}`).join("\n");
  const faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"].map((face) => `f ${face}`).join("\n");
  return [
    { name: `${name}.obj`, bytes: Buffer.from(`${note}mtllib ${name}.mtl\n${corners}\nusemtl red\n${faces}\n`) },
    { name: `${name}.mtl`, bytes: Buffer.from("newmtl red\nKd 0.9 0.1 0.1\n") },
  ];
}
