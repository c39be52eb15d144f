import type { OpenInherited } from '../inherited-file.ts';
import { JobError } from '../job-error.ts';
import type { Embedded } from './jobs.ts';
import type { EmbeddedReader } from './kinds.ts';
import { Findings, type ReadEmbedded } from './metadata-result.ts';

/** Loaded when a file of that kind comes: the reader of PDF alone is larger than everything else together. */
const READERS: Record<EmbeddedReader, () => Promise<ReadEmbedded>> = {
  image: async () => (await import('./image/image.ts')).readImage,
  video: async () => (await import('./media/video.ts')).readVideo,
  audio: async () => (await import('./media/audio.ts')).readAudio,
  pdf: async () => (await import('./document/pdf.ts')).readPdf,
  office: async () => (await import('./document/office.ts')).readOffice,
  opendocument: async () => (await import('./document/opendocument.ts')).readOpenDocument,
  epub: async () => (await import('./document/epub.ts')).readEpub,
};

/**
 * What a file says of itself. One that ends too early, or lies about lengths, says what could be read of it before.
 * @throws JobError
 */
export async function embeddedIn(file: OpenInherited, reader: EmbeddedReader): Promise<Embedded> {
  const findings = new Findings();
  const read = await READERS[reader]();
  try {
    await read(file, findings);
  } catch (error) {
    if (!(error instanceof JobError)) throw new JobError('corrupt', (error as Error).message);
    if (error.reason === 'unsupported' || findings.isEmpty) throw error;
  }
  return findings.all();
}
