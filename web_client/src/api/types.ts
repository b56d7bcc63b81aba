// The shapes of api/README.md, as the page uses them. What a server may leave out is optional here.

export type AssetStatus = "importing" | "ready" | "failed";

export interface Bounds {
  min: [number, number, number];
  max: [number, number, number];
}

export interface Problem {
  code: string;
  detail?: string;
  where?: string;
  title?: string;
  status?: number;
  requestId?: string;
  errors?: { pointer?: string; detail: string }[];
}

export interface Counts {
  meshes?: number;
  vertices?: number;
  polygons?: number;
  triangles?: number;
  joints?: number;
  clips?: number;
  materials?: number;
  images?: number;
}

export interface Clip {
  id: string;
  index?: number;
  name: string;
  startTime?: number;
  duration: number;
  frameRate?: number;
  frames?: number;
  channels?: number;
  keys?: number;
  // Of a clip that a person cut out of the file's.
  cutFrom?: { clip: string; firstFrame: number; lastFrame: number } | null;
}

export interface ClipCut {
  name: string;
  clip: string;
  firstFrame: number;
  lastFrame: number;
  frameRate: number;
}

export interface Material {
  name: string;
  baseColor?: number[];
  baseColorTexture?: { image: number; name?: string } | null;
  metallic?: number;
  roughness?: number;
  emissive?: number[];
  alphaMode?: string;
  doubleSided?: boolean;
  layers?: { clearcoat: number; sheen: number[]; transmission: number } | null;
}

export interface Warning {
  code: string;
  message: string;
  where?: string;
}

export interface AssetLinks {
  self?: string;
  files?: string;
  thumbnail?: string;
  sprite?: string;
  skeleton?: string;
  clips?: string;
  bounds?: string;
  preview?: string;
}

export interface Asset {
  id: string;
  name: string;
  format: string | null;
  status: AssetStatus;
  version?: number;
  createdAt: string;
  updatedAt?: string;
  sizeBytes?: number;
  mainFile?: string;
  etag?: string;
  job?: string | null;
  problem?: Problem | null;
  counts?: Counts | null;
  bounds?: Bounds | null;
  fileSpace?: { upAxis?: string; unitMetres?: number; bounds?: Bounds | null } | null;
  clips?: Clip[] | null;
  // By id: what the thumbnail shows.
  shownClip?: string | null;
  warnings?: number | Warning[] | null;
  materials?: Material[] | null;
  generator?: string | null;
  hasThumbnail?: boolean;
  links?: AssetLinks;
}

export type JobState = "queued" | "running" | "succeeded" | "failed" | "cancelled";

export interface Job {
  id: string;
  kind: string;
  asset: string;
  state: JobState;
  stage?: string;
  progress?: number;
  problem?: Problem | null;
}

export interface Page<T> {
  items: T[];
  next: string | null;
}

export interface UploadAnswer {
  items: { asset: Asset; job?: Job | null }[];
}

export interface Joint {
  index: number;
  node?: number;
  name: string;
  parent: number | null;
  local?: { translation: number[]; rotation: number[]; scale: number[] };
  vertices?: number;
}

export interface AssetFile {
  name: string;
  sizeBytes: number;
  sha256?: string;
  main?: boolean;
  url?: string;
}

export interface SpriteManifest {
  url: string;
  frames: number;
  columns: number;
  rows: number;
  frameWidth: number;
  frameHeight: number;
  duration: number;
}
