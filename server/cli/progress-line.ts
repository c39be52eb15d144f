import type { Output } from '../control/contract/contract.ts';
import { humanSize } from '../listing/human.ts';
import { listOf, t } from '../messages/messages.ts';

type Progress = Output<'backup.state'>['progress'];

/** A progress line on a terminal; nothing in a pipe. */
export function progressLine(): { readonly isShown: boolean; show(progress: Progress): void; end(): void } {
  const { stderr } = process;
  const isShown = stderr.isTTY === true;
  const write = (text: string) => {
    if (isShown) stderr.write(`\r\x1b[K${text}`);
  };
  return {
    isShown,
    show({ phase, doneFiles, doneBytes, totalBytes }) {
      if (phase === null) return;
      const percent = totalBytes === null || totalBytes === 0 ? null : Math.floor((100 * doneBytes) / totalBytes);
      const done = listOf([
        percent === null ? '' : t('cli.progress.share', { percent }),
        ...(doneFiles === 0 ? [] : [t('cli.backup.fileCount', { count: doneFiles }), humanSize(doneBytes)]),
      ]);
      write(`${t('cli.progress.phase', { phase })} ${done}`.trimEnd());
    },
    end: () => write(''),
  };
}
