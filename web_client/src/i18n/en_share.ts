// Texts of share links.
import { plural } from "./plural";

export const share = {
  action: "Share…",
  title: (name: string) => `Share ${name}`,
  collection: (name: string) => `Share the collection ${name}`,
  text: "Whoever has the link can look at it, and at nothing else, until the link expires or is revoked.",
  name: "Name of the link",
  expires: "Expires",
  lifetimes: { "86400": "In a day", "604800": "In a week", "2592000": "In 30 days", "": "Never" } as Record<string, string>,
  password: "Password (optional)",
  downloads: "Allow downloads",
  view: "Open with the view shown now",
  create: "Create link",
  created: "The link, which is shown only now",
  copy: "Copy link",
  picture: "Copy picture address",
  pictureHint: "The address of the picture works for everybody for 30 days.",
  links: "Links",
  none: "No links yet.",
  used: (uses: number) => `opened ${plural(uses, "time", "times")}`,
  until: (date: string) => `until ${date}`,
  ended: "expired",
  locked: "password",
  revoke: (name: string) => `Revoke the link ${name}`,
  revoked: "Link revoked",
  close: "Close",
};
