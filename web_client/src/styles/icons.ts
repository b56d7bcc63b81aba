// Line icons on a grid of 24, drawn for Vitrine.
import { html, svg } from "lit";
import type { SVGTemplateResult, TemplateResult } from "lit";

const icon = (body: SVGTemplateResult): TemplateResult =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${body}</svg>`;

export const icons = {
  search: icon(svg`<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>`),
  help: icon(svg`<circle cx="12" cy="12" r="8.5"/><path d="M9.6 9.6a2.4 2.4 0 1 1 3.3 2.2c-.6.3-.9.7-.9 1.4v.5M12 16.4v.1"/>`),
  upload: icon(svg`<path d="M12 15.5V4.5m-4.5 4L12 4l4.5 4.5M4.5 15v3a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-3"/>`),
  star: icon(svg`<path d="m12 3.8 2.5 5.3 5.8.7-4.3 4 1.1 5.7-5.1-2.8-5.1 2.8 1.1-5.7-4.3-4 5.8-.7z"/>`),
  folder: icon(svg`<path d="M3.5 18V6.5a1.5 1.5 0 0 1 1.5-1.5h4l2 2.5h8A1.5 1.5 0 0 1 20.5 9v9a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 18z"/>`),
  jobs: icon(svg`<path d="M9 6.5h11M9 12h11M9 17.5h11M4 6l1 1 2-2M4 11.5l1 1 2-2M4.5 17.5h.01"/>`),
  close: icon(svg`<path d="m6 6 12 12M18 6 6 18"/>`),
  signOut: icon(svg`<path d="M14 4.5H6A1.5 1.5 0 0 0 4.5 6v12A1.5 1.5 0 0 0 6 19.5h8M16 8l4 4-4 4M20 12H9.5"/>`),
  person: icon(svg`<circle cx="12" cy="8" r="4"/><path d="M4.5 20c.6-4 3.6-6 7.5-6s6.9 2 7.5 6"/>`),
  sun: icon(svg`<circle cx="12" cy="12" r="4"/><path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1"/>`),
  moon: icon(svg`<path d="M20 14.5A8.3 8.3 0 0 1 9.5 4a8.3 8.3 0 1 0 10.5 10.5z"/>`),
  auto: icon(svg`<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>`),
  back: icon(svg`<path d="m14.5 5.5-6.5 6.5 6.5 6.5"/>`),
  more: icon(svg`<path d="M5.5 12h.01M12 12h.01M18.5 12h.01" stroke-width="2.8"/>`),
  play: icon(svg`<path d="M8 5.5v13l10.5-6.5z" fill="currentColor"/>`),
  pause: icon(svg`<path d="M8.5 6v12M15.5 6v12" stroke-width="3.2"/>`),
  stepBack: icon(svg`<path d="M15.5 6.5v11L8.5 12z" fill="currentColor"/><path d="M6 6.5v11"/>`),
  stepNext: icon(svg`<path d="M8.5 6.5v11l7-5.5z" fill="currentColor"/><path d="M18 6.5v11"/>`),
  keyBack: icon(svg`<path d="m16 7.5 4.5 4.5-4.5 4.5-4.5-4.5z" fill="currentColor"/><path d="m7.5 8-4 4 4 4"/>`),
  keyNext: icon(svg`<path d="m8 7.5 4.5 4.5L8 16.5 3.5 12z" fill="currentColor"/><path d="m16.5 8 4 4-4 4"/>`),
  repeat: icon(svg`<path d="M17 3.5 20 6.5l-3 3M20 6.5H8a4 4 0 0 0-4 4v1M7 20.5l-3-3 3-3M4 17.5h12a4 4 0 0 0 4-4v-1"/>`),
  pingpong: icon(svg`<path d="M4 12h16M7.5 8 4 12l3.5 4M16.5 8l3.5 4-3.5 4"/>`),
  once: icon(svg`<path d="M4 12h13M13.5 8l4 4-4 4M20.5 6v12"/>`),
  wireframe: icon(svg`<path d="m12 3.5 8 4.5v8l-8 4.5L4 16V8zM4 8l8 4.5L20 8M12 12.5v8M4 16l8-3.5 8 3.5"/>`),
  skeleton: icon(svg`<circle cx="12" cy="5" r="2"/><circle cx="6" cy="12" r="2"/><circle cx="18" cy="12" r="2"/><circle cx="12" cy="19" r="2"/><path d="m10.7 6.5-3.4 4M13.3 6.5l3.4 4M7.3 13.5l3.4 4"/>`),
  normals: icon(svg`<path d="M4 18c5-3 11-3 16 0M12 15.5V4m-3 3 3-3 3 3M6.5 16.5 4 9M17.5 16.5 20 9"/>`),
  bounds: icon(svg`<path d="M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4"/><rect x="8" y="8" width="8" height="8" rx="1"/>`),
  names: icon(svg`<circle cx="5.5" cy="17" r="2"/><path d="m7 15.5 3-3M11.5 12l3.5-8 3.5 8M12.7 9.3h4.6M11 17h9.5M11 20.5h6"/>`),
  tangents: icon(svg`<path d="M5 19.5h13m-3-3 3 3-3 3M5 19.5v-13m-3 3 3-3 3 3M5 19.5l9.5-9.5m-4.2 0h4.2v4.2"/>`),
  trails: icon(svg`<path d="M4 18.5c2-9 6.5-1 9-7s4.5-6 5.5-6"/><circle cx="18.5" cy="5.5" r="2" fill="currentColor"/><path d="M4 18.5h.01" stroke-width="3.2"/>`),
  joint_boxes: icon(svg`<path d="m8.5 3.5 5 2.5-3 7.5-5-2.5zM10.5 13.5l6.5 0v6h-6.5z"/>`),
  uv: icon(svg`<rect x="4" y="4" width="16" height="16" rx="1.5"/><path d="M4 9.33h5.33V4h5.34v5.33H20v5.34h-5.33V20H9.33v-5.33H4z" fill="currentColor" fill-opacity="0.55" stroke-width="1"/>`),
  xray: icon(svg`<path d="M4 8V5.5A1.5 1.5 0 0 1 5.5 4H8M16 4h2.5A1.5 1.5 0 0 1 20 5.5V8M20 16v2.5a1.5 1.5 0 0 1-1.5 1.5H16M8 20H5.5A1.5 1.5 0 0 1 4 18.5V16M12 6.5v11M8 9.5c2.5-1.3 5.5-1.3 8 0M8 13c2.5-1.3 5.5-1.3 8 0"/>`),
  weights: icon(svg`<path d="M12 3.5c3 3.6 6 6.6 6 10.5a6 6 0 0 1-12 0c0-2 .9-3.6 2-5 .6 1.4 1.4 2.2 2.4 2.6C10.1 8.7 10.6 6 12 3.5z"/>`),
  overlay: icon(svg`<path d="m12 4 8.5 4.5L12 13 3.5 8.5zM3.5 12.5 12 17l8.5-4.5M3.5 16.5 12 21l8.5-4.5"/>`),
  fit: icon(svg`<path d="M9 4H4v5M15 4h5v5M20 15v5h-5M4 15v5h5"/>`),
  copy: icon(svg`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3"/>`),
  download: icon(svg`<path d="M12 4v11.5m-4.5-4L12 16l4.5-4.5M4.5 19.5h15"/>`),
  chevron: icon(svg`<path d="m9 6 6 6-6 6"/>`),
  warning: icon(svg`<path d="M12 4 2.8 19.5h18.4zM12 10v4.5M12 17h.01"/>`),
  failed: icon(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5v5.5M12 16.2h.01"/>`),
  check: icon(svg`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),
  retry: icon(svg`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.5M20 4v5.5h-5.5"/>`),
  cut: icon(svg`<circle cx="6.5" cy="6.5" r="2.5"/><circle cx="6.5" cy="17.5" r="2.5"/><path d="M8.7 7.8 20 17M8.7 16.2 20 7"/>`),
  trash: icon(svg`<path d="M4.5 6.5h15M9.5 6.5V4.5h5v2M6.5 6.5l.8 13h9.4l.8-13M10 10.5v5.5M14 10.5v5.5"/>`),
  edit: icon(svg`<path d="M4 20h4L19.5 8.5l-4-4L4 16zM13 7l4 4"/>`),
  keyboard: icon(svg`<rect x="2.5" y="6" width="19" height="12" rx="2"/><path d="M6.5 10h.01M10 10h.01M13.5 10h.01M17 10h.01M8 14h8"/>`),
  cube: icon(svg`<path d="m12 3 8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9"/>`),
  expand: icon(svg`<path d="M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7"/>`),
  palette: icon(svg`<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5v17" /><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor"/>`),
  link: icon(svg`<path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1"/>`),
};

// Returns the icon of an overlay; overlays without an icon of their own have the common one.
export function overlayIcon(name: string): TemplateResult {
  return (icons as Record<string, TemplateResult>)[name] ?? icons.overlay;
}

export const logo = html`<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
  <rect width="32" height="32" rx="8" fill="#17595c" />
  <g fill="none" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round">
    <path d="M8 10.5 16 6l8 4.5v9L16 24l-8-4.5z" stroke="#e9f3f1" />
    <path d="m8 10.5 8 4.5 8-4.5M16 15v9" stroke="#8fd0c8" />
    <path d="M7 27.5h18" stroke="#e9f3f1" />
  </g>
</svg>`;
