// Draws frames on the canvas: stills with the browser's image decoders, video with WebCodecs.
import type { PreviewFrame } from "./protocol";
import { VideoFrameDecoder, isVideo } from "./video";

export class Painter {
  private readonly video = new VideoFrameDecoder();
  private readonly context: ImageBitmapRenderingContext | null;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.context = canvas.getContext("bitmaprenderer");
  }

  // Resolves when the frame is on the canvas.
  async show(frame: PreviewFrame): Promise<void> {
    const bitmap = await (isVideo(frame.codec) ? this.moving(frame) : createImageBitmap(new Blob([frame.payload], { type: `image/${frame.codec}` })));
    const { canvas } = this;
    // The canvas keeps the aspect ratio of its size attributes, not of the image in it.
    if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
    if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
    this.context?.transferFromImageBitmap(bitmap);
  }

  close(): void {
    this.video.close();
  }

  private async moving(frame: PreviewFrame): Promise<ImageBitmap> {
    const decoded = await this.video.decode(frame);
    try {
      return await createImageBitmap(decoded);
    } finally {
      decoded.close(); // the decoder has few frame buffers
    }
  }
}
