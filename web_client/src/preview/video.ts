// Decodes VP8 and VP9 frames with WebCodecs, which browsers provide in secure contexts (https, or loopback).
import type { Codec, PreviewFrame } from "./protocol";

export type VideoCodec = "vp8" | "vp9";

// VP8 first: for the server, the smaller frames of VP9 are not worth their encoding time.
const preferred: readonly VideoCodec[] = ["vp8", "vp9"];
const decodeTimeoutMs = 3000;

export function isVideo(codec: Codec): codec is VideoCodec {
  return codec === "vp8" || codec === "vp9";
}

function configOf(codec: VideoCodec): VideoDecoderConfig {
  return {
    codec: codec === "vp8" ? "vp8" : "vp09.00.51.08",
    optimizeForLatency: true,
    // The server's conversion; the streams cannot represent all of it.
    colorSpace: { primaries: "bt709", transfer: "iec61966-2-1", matrix: "smpte170m", fullRange: false },
  };
}

// Returns the offered codecs that this browser decodes, in order of preference.
export async function decodableCodecs(offered: readonly string[]): Promise<VideoCodec[]> {
  if (typeof VideoDecoder === "undefined") return [];
  const wanted = preferred.filter((codec) => offered.includes(codec));
  const answers = await Promise.all(
    wanted.map((codec) =>
      VideoDecoder.isConfigSupported(configOf(codec)).then(
        (answer) => answer.supported === true,
        () => false,
      ),
    ),
  );
  return wanted.filter((_, index) => answers[index]);
}

interface Waiting {
  resolve(decoded: VideoFrame): void;
  reject(error: unknown): void;
}

// One decoder, created when needed. After a failure the next frame must be a key frame.
export class VideoFrameDecoder {
  private decoder: VideoDecoder | null = null;
  private codec: VideoCodec | null = null;
  private waiting: Waiting | null = null;
  private late: ReturnType<typeof setTimeout> | undefined;

  // Decodes one frame at a time, all of them and in order. The caller closes the result.
  async decode(frame: PreviewFrame): Promise<VideoFrame> {
    if (!isVideo(frame.codec)) throw new Error(`${frame.codec} is no video`);
    if (frame.codec !== this.codec || this.decoder?.state !== "configured") this.begin(frame.codec);
    const chunk = new EncodedVideoChunk({ type: frame.keyFrame ? "key" : "delta", timestamp: frame.sequence, data: frame.payload });
    const decoded = new Promise<VideoFrame>((resolve, reject) => (this.waiting = { resolve, reject }));
    this.late = setTimeout(() => this.fail(new Error("the video decoder returned no frame")), decodeTimeoutMs);
    try {
      this.decoder?.decode(chunk);
    } catch (error) {
      this.fail(error);
    }
    return decoded;
  }

  close(): void {
    this.fail(new Error("the video decoder was closed"));
  }

  private begin(codec: VideoCodec): void {
    this.close();
    const decoder = new VideoDecoder({
      output: (decoded) => {
        if (decoder === this.decoder && this.waiting) this.settle()?.resolve(decoded);
        else decoded.close();
      },
      error: (error) => {
        if (decoder === this.decoder) this.fail(error);
      },
    });
    this.decoder = decoder;
    this.codec = codec;
    decoder.configure(configOf(codec));
  }

  private fail(error: unknown): void {
    const { decoder } = this;
    this.decoder = null;
    this.codec = null;
    if (decoder && decoder.state !== "closed") decoder.close();
    this.settle()?.reject(error);
  }

  private settle(): Waiting | null {
    clearTimeout(this.late);
    const { waiting } = this;
    this.waiting = null;
    return waiting;
  }
}
