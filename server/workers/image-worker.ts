import type { Sharp } from 'sharp';
import { answerJobs } from './answer-jobs.ts';
import { JobError } from './job-error.ts';
import { imageJobs, LOGO_SIZE, MAX_PIXELS, PICTURE_SIZE } from './pictures/image-jobs.ts';
import { loadSharp } from './pictures/sharp.ts';

/** The aspect ratio above which the middle of an image is used instead of its most interesting part. */
const MAX_RATIO = 4;

const sharp = await loadSharp();
// Only the formats named here are enabled: SVG and PDF can refer to other files.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((kind) => `VipsForeignLoad${kind}Buffer`),
});

answerJobs(imageJobs, {
  picture: (input) =>
    decode(input.bytes, async (image) => {
      const { width, height } = await image.metadata();
      // The search for the most interesting part needs the whole enlarged strip in memory: gigabytes for one pixel by thousands.
      const isStrip = Math.max(width, height) > MAX_RATIO * Math.min(width, height);
      return image
        .resize(PICTURE_SIZE, PICTURE_SIZE, {
          fit: 'cover',
          position: isStrip ? 'centre' : sharp.strategy.attention,
        })
        .flatten({ background: '#ffffff' })
        .toColourspace('srgb')
        .jpeg({ quality: 85, chromaSubsampling: '4:4:4' });
    }),

  logo: ({ bytes }) =>
    decode(bytes, async (image) =>
      image
        .resize(LOGO_SIZE, LOGO_SIZE, { fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
        .png({ compressionLevel: 9 }),
    ),
});

/** Output contains no metadata by default: no EXIF, location or profile. */
async function decode(bytes: Uint8Array, steps: (image: Sharp) => Promise<Sharp>): Promise<{ bytes: Uint8Array }> {
  try {
    const image = sharp(bytes, {
      autoOrient: true,
      limitInputPixels: MAX_PIXELS,
      sequentialRead: true,
      // Accepts every complete image, even with the small faults of some cameras.
      failOn: 'error',
    });
    return { bytes: await (await steps(image)).toBuffer() };
  } catch (error) {
    throw imageError(error as Error);
  }
}

/** The library distinguishes its errors only by their texts. */
function imageError({ message }: Error): JobError {
  if (/unsupported image format|buffer is empty|not been built in|unsupported feature/i.test(message)) {
    return new JobError('unsupported', message);
  }
  return new JobError(/exceeds pixel limit/i.test(message) ? 'too_large' : 'corrupt', message);
}
