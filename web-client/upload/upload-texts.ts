// Texts for all kinds of uploads.

import { t } from 'virtual:messages/upload';
import { setText } from '../lib/dom.ts';
import { verbFor } from './client.ts';
import type { UploadJob } from './job.ts';
import type { TimeLeft } from './progress.ts';

/** @param sent and total, as sizes @param left null while unknown */
export function progressText(sent: string, total: string, left: TimeLeft | null = null): string {
  return left === null
    ? t('uploads.bytes', { sent, total })
    : t('uploads.bytesLeft', { sent, total, left: leftText(left) });
}

function leftText({ unit, count }: TimeLeft): string {
  if (unit === 'seconds') return t('uploads.left.seconds');
  return unit === 'minutes' ? t('uploads.left.minutes', { minutes: count }) : t('uploads.left.hours', { hours: count });
}

/** Labels the button of a row by its action. */
export function nameButton(button: HTMLElement, job: UploadJob): void {
  const verb = verbFor(job);
  setText(button, t(`uploads.verbs.${verb}`));
  button.setAttribute('aria-label', t(`uploads.verbsFor.${verb}`, { name: job.name }));
}
