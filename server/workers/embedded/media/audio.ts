import { type IAudioMetadata, parseFile } from 'music-metadata';
import type { OpenInherited } from '../../inherited-file.ts';
import { JobError } from '../../job-error.ts';
import type { MetadataResult, ReadEmbedded } from '../metadata-result.ts';
import { WindowedReader } from '../windowed-reader.ts';
import { id3v23Text } from './id3v23.ts';
import { oggDuration } from './ogg.ts';

/** Music and speech: tags of ID3, Vorbis comments, MP4, APE, RIFF. The sound itself is never decoded. */
export const readAudio: ReadEmbedded = async (file, result) => {
  const metadata = await parsed(file);
  const { common, format } = metadata;
  result.first('audio.title', common.title);
  result.add('audio.artist', await writtenIn(file, metadata, 'TPE1'), ...(common.artists ?? [common.artist]));
  result.first('audio.album', common.album);
  result.first('audio.albumartist', await writtenIn(file, metadata, 'TPE2'), common.albumartist);
  const { no, of } = common.track;
  if (no !== null && no > 0) result.add('audio.track', of !== null && of >= no ? `${no} / ${of}` : no);
  result.first('audio.year', yearOf(common.year, common.date));
  result.add('audio.genre', ...(common.genre ?? []));
  result.add('audio.composer', await writtenIn(file, metadata, 'TCOM'), ...(common.composer ?? []));
  await addSound(file, format, result);
};

/**
 * The text of a frame of ID3v2.3 that was divided at slashes. They separate people (ID3v2.3.0, 4.2.1), but are also in names such as
 * AC/DC, which have to be found as they are written. Programs also separate people by zeros, as in later versions.
 */
async function writtenIn(file: OpenInherited, { native }: IAudioMetadata, frame: string): Promise<string> {
  const parts = (native['ID3v2.3'] ?? []).filter(({ id }) => id === frame).map(({ value }) => String(value));
  if (parts.length <= 1) return '';
  const text = (await id3v23Text(new WindowedReader(file.fd, file.size), frame))?.replace(/\0+$/, '');
  if (text?.includes('\0') === true) return '';
  const isSame = text?.split('/').map(trimmed).join('/') === parts.map(trimmed).join('/');
  return isSame ? (text ?? '') : parts.join('/');
}

const trimmed = (text: string) => text.trim();

async function addSound(file: OpenInherited, format: IAudioMetadata['format'], result: MetadataResult): Promise<void> {
  const isOgg = format.container === 'Ogg';
  const seconds = isOgg ? oggDuration(file, format) : format.duration;
  result.duration('audio.duration', seconds);
  const rate = isOgg && seconds !== undefined ? (file.size * 8) / seconds : format.bitrate;
  if (rate !== undefined && rate >= 500) result.add('audio.bitrate', `${Math.round(rate / 1000)} kbit/s`);
}

/** @throws JobError */
export async function parsed({ path }: OpenInherited): Promise<IAudioMetadata> {
  try {
    return await parseFile(path, { duration: false, skipCovers: true, mkvUseIndex: true });
  } catch (error) {
    const { name, message } = error as Error;
    const isOther = name === 'UnsupportedFileTypeError' || name === 'CouldNotDetermineFileTypeError';
    throw new JobError(isOther ? 'unsupported' : 'corrupt', message);
  }
}

function yearOf(year: number | undefined, date: string | undefined): string | undefined {
  return /^\d{4}$/.test(String(year)) ? String(year) : /\b\d{4}\b/.exec((date ?? '').slice(0, 80))?.[0];
}
