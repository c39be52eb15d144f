// The receipt as a text file, and what it says of one photo.

import { t } from 'virtual:messages/photo-backup';
import { humanSize } from '../lib/human-size.ts';
import type { Device } from './device.ts';
import type { Photo } from './photo.ts';

/** What the texts depend on. */
export interface About {
  readonly locale: string;
  readonly device: Device;
}

const dayText = (time: string, locale: string): string =>
  new Date(time).toLocaleDateString(locale, { dateStyle: 'long' });

/** What the receipt says of one file. */
export function stateText(photo: Photo, { locale, device }: About): string {
  const { answer, reason } = photo;
  if (answer?.isStored !== true)
    return reason === '' ? t('photoBackup.state.missing') : t('photoBackup.state.reason', { reason });
  if (answer.backup === null) return t('photoBackup.state.stored');
  const backup = { disk: answer.backup.disk, date: dayText(answer.backup.since, locale) };
  return device === 'apple' ? t('photoBackup.state.backedUp', backup) : t('photoBackup.state.safe', backup);
}

/** Names may contain line breaks. */
const inLine = (text: string): string => text.replace(/[\r\n\t]/g, ' ');

/** @param head the first lines */
export function receiptText(photos: readonly Photo[], head: readonly string[], about: About): string {
  const entries = photos.map((photo) => {
    const { file, sha256, answer } = photo;
    const facts = [stateText(photo, about), humanSize(file.size), `SHA-256 ${sha256 ?? '–'}`, answer?.path ?? ''];
    return [file.name, ...facts.filter((fact) => fact !== '').map((fact) => `  ${inLine(fact)}`)]
      .map((line, index) => (index === 0 ? inLine(line) : line))
      .join('\n');
  });
  return `${[head.map(inLine).join('\n'), ...entries].join('\n\n')}\n`;
}
