// The texts of the interface. Another language is another file of the same shape and a line here.
import { en } from "./en";

export type Messages = typeof en;
export const t: Messages = en;
