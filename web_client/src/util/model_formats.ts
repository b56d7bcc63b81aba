// The model formats, of the table that loader and server read too (loaders/formats.mjs says what its members mean).
import table from "../../../loaders/formats.json";

interface Row {
  title: string;
  extensions: string[];
  sceneFormats: string[];
  selfContained?: string[];
}

const formats: Row[] = table.formats;

// Extensions in lower case, with the dot.
const models = new Set(formats.flatMap((format) => format.extensions));
const selfContained = new Set(formats.flatMap((format) => format.selfContained ?? []));

// What REST calls the format of an asset.
export const assetFormats = formats.flatMap((format) => format.sceneFormats);

// "FBX", "COLLADA", ...
export const formatTitles = formats.map((format) => format.title.replace(/ \(.*\)$/, ""));

const extensionOf = (path: string) => /\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? "";

export const isArchive = (path: string) => table.archives.includes(extensionOf(path));

export const isModel = (path: string) => models.has(extensionOf(path));

// Whether it never needs another file.
export const isSelfContained = (path: string) => selfContained.has(extensionOf(path));
