import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { Embedded } from './jobs.ts';
import type { EmbeddedReader } from './kinds.ts';
import { MetadataResult, type ReadEmbedded } from './metadata-result.ts';

/** Loaded on first use: the PDF reader alone is larger than everything else together. */
const READERS: Record<EmbeddedReader, () => Promise<ReadEmbedded>> = {
  image: async () => (await import('./image/image.ts')).readImage,
  video: async () => (await import('./media/video.ts')).readVideo,
  audio: async () => (await import('./media/audio.ts')).readAudio,
  pdf: async () => (await import('./document/pdf.ts')).readPdf,
  office: async () => (await import('./document/office.ts')).readOffice,
  binaryOffice: async () => (await import('./document/binary-office.ts')).readBinaryOffice,
  opendocument: async () => (await import('./document/opendocument.ts')).readOpenDocument,
  epub: async () => (await import('./document/epub.ts')).readEpub,
};

/**
 * The embedded metadata of a file. From one that is cut off, or has wrong lengths, whatever could be read before.
 * @throws JobError
 */
export async function embeddedIn(file: OpenInherited, reader: EmbeddedReader): Promise<Embedded> {
  const result = new MetadataResult();
  const read = await READERS[reader]();
  try {
    await read(file, result);
  } catch (error) {
    if (!(error instanceof JobError)) throw new JobError('corrupt', (error as Error).message);
    if (error.reason === 'unsupported' || result.isEmpty) throw error;
  }
  return result.all();
}
