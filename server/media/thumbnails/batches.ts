import type { ThumbnailShape } from '../../workers/thumbnails/jobs.ts';
import { isPictureShape } from './sides.ts';

/** By shape, as named by `key`. */
type Shapes = Map<string, ThumbnailShape>;
type Pictures = ReadonlyMap<string, Uint8Array>;

interface Batch {
  readonly shapes: Shapes;
  hasBegun: boolean;
  readonly pictures: Promise<Pictures>;
}

/** Makes the pictures of a content that are asked for together from one decoding. */
interface Batches {
  /**
   * Announces a request whose content is being looked up: a decoding that begins meanwhile includes its shape.
   * @param file any name of the file @returns ends the announcement
   */
  announce(file: string, shape: ThumbnailShape): () => void;
  /**
   * Joins the decoding of this content that has not begun or already includes the shape; otherwise starts one.
   * @param content equal for equal content @param decode called at most once; its function returns the shapes when it begins
   */
  make(
    asked: { readonly file: string; readonly content: string; readonly shape: ThumbnailShape },
    decode: (begin: () => ThumbnailShape[]) => Promise<Pictures>,
  ): Promise<Uint8Array | undefined>;
}

/** @param key names a shape */
export function createBatches(key: (shape: ThumbnailShape) => string): Batches {
  const announced = new Map<string, ThumbnailShape[]>();
  const batches = new Map<string, Batch[]>();

  function start(file: string, content: string, shape: ThumbnailShape, decode: Parameters<Batches['make']>[1]): Batch {
    const shapes: Shapes = new Map([[key(shape), shape]]);
    const begin = () => {
      batch.hasBegun = true;
      for (const other of isPictureShape(shape) ? (announced.get(file) ?? []) : []) shapes.set(key(other), other);
      return [...shapes.values()];
    };
    // The decoding may begin at once, so the batch has to be there before.
    let started: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      started = resolve;
    });
    const pictures = turn.then(() => decode(begin)).finally(() => forget(content, batch));
    const batch: Batch = { shapes, hasBegun: false, pictures };
    batches.set(content, [...(batches.get(content) ?? []), batch]);
    started();
    return batch;
  }

  function forget(content: string, batch: Batch): void {
    const left = (batches.get(content) ?? []).filter((one) => one !== batch);
    if (left.length === 0) batches.delete(content);
    else batches.set(content, left);
  }

  return {
    announce(file, shape) {
      if (!isPictureShape(shape)) return () => undefined;
      announced.set(file, [...(announced.get(file) ?? []), shape]);
      return () => {
        const all = announced.get(file) ?? [];
        const left = all.filter((_, index) => index !== all.indexOf(shape));
        if (left.length === 0) announced.delete(file);
        else announced.set(file, left);
      };
    },

    async make({ file, content, shape }, decode) {
      const requested = key(shape);
      const open = batches.get(content) ?? [];
      const joined =
        open.find(({ shapes }) => shapes.has(requested)) ??
        (isPictureShape(shape)
          ? open.find((one) => !one.hasBegun && [...one.shapes.values()].every(isPictureShape))
          : undefined);
      joined?.shapes.set(requested, shape);
      return (await (joined ?? start(file, content, shape, decode)).pictures).get(requested);
    },
  };
}
