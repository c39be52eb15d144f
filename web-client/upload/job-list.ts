// The queue's files as a list on the page.

import { make } from '../lib/dom.ts';
import type { UploadJob, UploadState } from './job.ts';

export interface JobRow {
  readonly element: HTMLElement;
  /** Shows the job's present state. */
  update(): void;
}

interface JobListOptions<Target> {
  readonly list: HTMLElement;
  /** Most rows; further files are counted. */
  readonly maxRows: number;
  /** Whether files that need attention are always on top, or only when not all files have a row. */
  readonly isSorted: boolean;
  readonly createRow: (job: UploadJob<Target>) => JobRow;
  /** The last row, which stands for all further ones. */
  readonly rest: { readonly class: string; readonly text: (count: number) => string };
}

interface JobList<Target> {
  draw(jobs: readonly UploadJob<Target>[]): void;
  rowOf(job: UploadJob<Target>): HTMLElement | null;
}

const ORDER: Readonly<Record<UploadState, number>> = {
  failed: 0,
  sending: 1,
  paused: 1,
  waiting: 2,
  sent: 3,
  cancelled: 4,
};

export function createJobList<Target>(options: JobListOptions<Target>): JobList<Target> {
  const { list, maxRows, isSorted, createRow, rest } = options;
  const rows = new WeakMap<UploadJob<Target>, JobRow>();

  function rowFor(job: UploadJob<Target>): JobRow {
    const row = rows.get(job) ?? createRow(job);
    rows.set(job, row);
    row.update();
    return row;
  }

  return {
    draw(jobs) {
      const sorts = isSorted || jobs.length > maxRows;
      const sorted = sorts ? jobs.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]) : jobs;
      const shown = sorted.slice(0, maxRows).map((job) => rowFor(job).element);
      const hidden = jobs.length - shown.length;
      if (hidden > 0) shown.push(make('li', { class: rest.class }, rest.text(hidden)));
      const isSame = shown.length === list.childElementCount && shown.every((row, i) => row === list.children[i]);
      if (isSame) return;
      const { activeElement } = document;
      list.replaceChildren(...shown);
      // Moving a row removes the focus from its elements.
      const wasMoved = activeElement?.isConnected === true && activeElement !== document.activeElement;
      if (wasMoved && activeElement instanceof HTMLElement) activeElement.focus();
    },
    rowOf: (job) => rows.get(job)?.element ?? null,
  };
}
