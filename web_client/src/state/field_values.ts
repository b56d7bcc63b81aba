// Values of custom fields as forms enter them.
import type { AssetField, Field, FieldValues } from "../api/types";

export type FieldValue = AssetField["value"];

// The text of a control for the value; empty: none.
export function enteredText(value: FieldValue): string {
  return value === null ? "" : String(value);
}

// The value that the text of a control means; undefined: the text is none of this type.
export function enteredValue(field: Pick<Field, "type">, text: string): FieldValue | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (field.type === "boolean") return trimmed === "true";
  if (field.type !== "number") return trimmed;
  const number = Number(trimmed);
  return Number.isFinite(number) ? number : undefined;
}

// Those that differ from what the fields have, by id.
export function changedValues(fields: readonly AssetField[], textOf: (field: AssetField) => string): FieldValues {
  const changed: FieldValues = {};
  for (const field of fields) {
    const value = enteredValue(field, textOf(field));
    if (value !== undefined && value !== field.value) changed[field.id] = value;
  }
  return changed;
}

// Choices as lines of a text, without empty and repeated ones.
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
}
