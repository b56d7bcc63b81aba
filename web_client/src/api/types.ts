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
export type Similar = Schemas["SimilarAsset"];
export type SimilarBy = "mesh" | "rig" | "motion" | "picture" | "bytes";
export type Material = Schemas["Material"];
export type Warning = Schemas["WarningList"]["items"][number];
export type Job = Schemas["Job"];
export type JobState = Job["state"];
export type UploadResponse = Schemas["Upload"];
export type Version = Schemas["Version"];
export type Me = Schemas["Me"];
export type MeChange = Schemas["MeChange"];
export type Role = Schemas["Role"];
export type UserRole = Schemas["UserRole"];
export type Grant = Schemas["Grant"];
export type GroupGrant = Schemas["GroupGrant"];
export type Grants = Schemas["Grants"];
export type Session = Schemas["Session"];
export type User = Schemas["User"];
export type NewUser = Schemas["NewUser"];
export type UserChange = Schemas["UserChange"];
export type AccessToken = Schemas["AccessToken"];
export type NewAccessToken = Schemas["NewAccessToken"];
export type OwnToken = Schemas["OwnTokenList"]["items"][number];
export type UserStorage = Schemas["UserStorage"];
export type StorageOfUser = Schemas["UserStorageList"]["items"][number];
export type CreatedAccessToken = Schemas["CreatedAccessToken"];
export type AuditEntry = Schemas["AuditPage"]["items"][number];
export type Library = Schemas["Library"];
export type NewLibrary = Schemas["NewLibrary"];
export type ShareLink = Schemas["ShareLink"];
export type NewShareLink = Schemas["NewShareLink"];
export type CreatedShareLink = Schemas["CreatedShareLink"];
export type SignedUrl = Schemas["SignedUrl"];
export type VersionResponse = Schemas["CreatedVersion"];
export type Tag = Schemas["Tag"];
export type Cover = NonNullable<Schemas["Cover"]>;
export type Collection = Schemas["Collection"];
export type Member = Schemas["Member"];
export type Field = Schemas["Field"];
export type NewField = Schemas["NewField"];
export type FieldChange = Schemas["FieldChange"];
export type AssetField = Schemas["AssetField"];
export type FieldValues = Schemas["FieldValueChange"]["values"];
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
