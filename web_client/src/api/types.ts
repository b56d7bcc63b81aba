// Types of the REST API with the names used by the page. `schema.d.ts` is generated from api/openapi.yaml by openapi-typescript
// (`npm run types`, also part of `npm run build`) and not committed.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Asset = Schemas["Asset"];
// In a list, without clips and links.
export type AssetRow = Schemas["AssetRow"];
// A row, until the asset was read.
export type KnownAsset = AssetRow & Partial<Asset>;
export type AssetStatus = Asset["status"];
export type Bounds = NonNullable<Schemas["Box"]>;
export type Counts = Schemas["Counts"];
// As listed in an asset; the list of clips has more members.
export type Clip = NonNullable<Asset["clips"]>[number] & Partial<Schemas["Clip"]>;
export type ClipCut = Schemas["ClipCut"];
export type ClipFacts = Schemas["ClipFacts"];
export type Checks = Schemas["Checks"];
export type Finding = Checks["items"][number];
export type Fitting = Schemas["FittingPage"]["items"][number];
export type Material = Schemas["Material"];
export type Warning = Schemas["WarningList"]["items"][number];
export type Job = Schemas["Job"];
export type JobState = Job["state"];
export type UploadResponse = Schemas["Upload"];
export type Version = Schemas["Version"];
export type Me = Schemas["Me"];
export type VersionResponse = Schemas["CreatedVersion"];
export type Tag = Schemas["Tag"];
export type Collection = Schemas["Collection"];
export type BatchOperation = Schemas["Batch"]["operations"][number];
export type BatchResult = Schemas["BatchResult"]["items"][number];
export type Joint = Schemas["Skeleton"]["joints"][number];
export type AssetFile = Schemas["FileList"]["items"][number];
export type SpriteManifest = Schemas["SpriteManifest"];

// A rejected request or a failed import; responses of a proxy or a stopping server have fewer members.
export type Problem = Pick<Schemas["Problem"], "code"> & Partial<Schemas["Problem"]>;

export interface Page<T> {
  items: T[];
  next: string | null;
  offset?: number;
  total?: number;
  corrections?: Correction[];
}

// A word of a search that no asset has, and the similar one that was searched instead.
export interface Correction {
  typed: string;
  used: string;
}
