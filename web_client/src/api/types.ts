// The shapes of the REST interface under the names that the page uses. `schema.d.ts` is made from api/openapi.yaml
// by openapi-typescript (`npm run types`, also part of `npm run build`) and not committed.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Asset = Schemas["Asset"];
export type AssetStatus = Asset["status"];
export type Bounds = NonNullable<Schemas["Box"]>;
export type Counts = Schemas["Counts"];
// As an asset lists it; the list of clips says more.
export type Clip = NonNullable<Asset["clips"]>[number] & Partial<Schemas["Clip"]>;
export type ClipCut = Schemas["ClipCut"];
export type Material = Schemas["Material"];
export type Warning = Schemas["WarningList"]["items"][number];
export type Job = Schemas["Job"];
export type JobState = Job["state"];
export type UploadAnswer = Schemas["Upload"];
export type Joint = Schemas["Skeleton"]["joints"][number];
export type AssetFile = Schemas["FileList"]["items"][number];
export type SpriteManifest = Schemas["SpriteManifest"];

// Of a refused request, or of an import that failed; what a proxy or a server that ends answers has less of it.
export type Problem = Pick<Schemas["Problem"], "code"> & Partial<Schemas["Problem"]>;

export interface Page<T> {
  items: T[];
  next: string | null;
}
