import type { Output } from '../control/contract/contract.ts';
import { humanSize } from '../listing/human.ts';

type Progress = Output<'backup.state'>['progress'];

const PHASES: Readonly<Record<NonNullable<Progress['phase']>, string>> = {
  files: 'Copying files',
  database: 'Copying the database',
  history: 'Taking in what changed meanwhile',
  verifying: 'Verifying',
  pruning: 'Removing old backups',
  removing: 'Removing the backup',
};

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
      const share = totalBytes === null || totalBytes === 0 ? '' : ` ${Math.floor((100 * doneBytes) / totalBytes)} %`;
      const files = doneFiles === 0 ? '' : `, ${doneFiles} files, ${humanSize(doneBytes)}`;
      write(`${PHASES[phase]}…${share}${files}`);
    },
    end: () => write(''),
  };
}
