// The receipt: what is stored, and what is safe to delete from the device.

import { t } from 'virtual:messages/photo-backup';
import { make, shownName, sprite } from '../lib/dom.ts';
import { humanSize } from '../lib/human-size.ts';
import type { Device } from './device.ts';
import { type Photo, type PhotoState, stateOf } from './photo.ts';
import { type About, receiptText, stateText } from './receipt-text.ts';

/** Rows at first, and with each press of the button below them. */
const ROWS = 200;

const ORDER: Readonly<Record<PhotoState, number>> = { missing: 0, stored: 1, safe: 2 };
const CLASSES = { missing: 'problem', stored: 'care', safe: 'good' } as const;
const ICONS = { missing: 'alert', stored: 'clock', safe: 'check' } as const;

interface ReceiptView {
  readonly element: HTMLElement;
  /** The result in one sentence. */
  readonly summary: string;
  readonly save: HTMLElement;
  readonly print: HTMLElement;
}

export function receiptView(
  photos: readonly Photo[],
  about: About & { readonly household: string; readonly folder: string },
): ReceiptView {
  const total = photos.length;
  const [stored, safe] = [
    photos.filter((one) => stateOf(one) !== 'missing'),
    photos.filter((one) => stateOf(one) === 'safe'),
  ];
  const missing = total - stored.length;
  const heading =
    missing === 0
      ? t('photoBackup.allStored', { count: total })
      : t('photoBackup.someStored', { stored: stored.length, total });
  const verdict = verdictOn(total, stored.length, safe.length, about.device);
  const counted = (some: readonly Photo[]) =>
    t('photoBackup.counted', { count: some.length, total, size: humanSize(sizeOf(some)) });
  const time = new Date().toLocaleString(about.locale, { dateStyle: 'long', timeStyle: 'short' });
  const fact = (name: string, value: string) => make('div', {}, make('dt', {}, name), make('dd', {}, value));
  const facts = make(
    'dl',
    { class: 'sums' },
    fact(t('photoBackup.stored'), counted(stored)),
    fact(t('photoBackup.backedUp'), counted(safe)),
  );
  const isSafe = safe.length === total;
  const card = make(
    'section',
    { class: `seal ${isSafe ? 'good' : missing > 0 ? 'problem' : 'care'}` },
    sprite(isSafe ? 'shieldCheck' : missing > 0 ? 'alert' : 'check'),
    make('h1', {}, heading),
    make('p', {}, t('photoBackup.from', { time, household: about.household })),
    facts,
  );
  const verdictNote = make(
    'div',
    { class: `note verdict ${isSafe ? 'good' : 'care'}` },
    sprite(isSafe ? 'check' : 'alert'),
    make('div', {}, make('strong', {}, verdict.heading), ...verdict.lines.map((text) => make('p', {}, text))),
  );
  const files = fileList(photos, about);
  const element = make('div', { class: 'receipt' }, card, verdictNote, files.element);
  const text = () =>
    receiptText(photos, [heading, time, about.household, about.folder, verdict.heading, ...verdict.lines], about);
  const save = () => saveAs(t('photoBackup.fileName', { date: new Date().toISOString().slice(0, 10) }), text());
  return {
    element,
    summary: `${heading}. ${verdict.heading}`,
    save: button('download', t('photoBackup.download'), save),
    print: button('fileText', t('photoBackup.print'), () => {
      files.showAll();
      print();
    }),
  };
}

const button = (icon: string, text: string, click: () => void) =>
  make('button', { type: 'button', click }, sprite(icon), make('span', {}, text));

const sizeOf = (photos: readonly Photo[]): number => photos.reduce((sum, { file }) => sum + file.size, 0);

function verdictOn(
  total: number,
  stored: number,
  safe: number,
  device: Device,
): { heading: string; lines: readonly string[] } {
  const [waiting, missing] = [stored - safe, total - stored];
  const handedOver = safe === 0 || device === 'other' ? [] : [t('photoBackup.handedOver', { device })];
  if (safe === total) {
    const heading = device === 'apple' ? t('photoBackup.safe.copies') : t('photoBackup.safe.all');
    return { heading, lines: [t('photoBackup.safe.allHelp'), ...handedOver] };
  }
  const some = device === 'apple' ? t('photoBackup.safe.someCopies', { safe }) : t('photoBackup.safe.some', { safe });
  return {
    heading: safe === 0 ? t('photoBackup.safe.none') : some,
    lines: [
      ...handedOver,
      ...(missing === 0 ? [] : [t('photoBackup.safe.missing', { count: missing })]),
      ...(waiting === 0 ? [] : [t('photoBackup.safe.notYet', { waiting })]),
    ],
  };
}

/** What needs attention comes first. */
function fileList(photos: readonly Photo[], about: About): { element: HTMLElement; showAll: () => void } {
  const sorted = photos.toSorted((a, b) => ORDER[stateOf(a)] - ORDER[stateOf(b)]);
  const list = make('ul', { 'aria-labelledby': 'receipt-files' });
  const more = make('button', { type: 'button', click: () => showMore() });
  function showMore(count = ROWS): void {
    const shown = list.childElementCount;
    list.append(...sorted.slice(shown, shown + count).map((photo) => rowOf(photo, about)));
    const left = sorted.length - list.childElementCount;
    more.textContent = t('photoBackup.more', { count: Math.min(ROWS, left) });
    more.hidden = left === 0;
  }
  showMore();
  const heading = make('h2', { id: 'receipt-files' }, t('photoBackup.files'));
  const element = make('section', { class: 'receipt-files' }, heading, list, more);
  return { element, showAll: () => showMore(sorted.length) };
}

function rowOf(photo: Photo, about: About): HTMLElement {
  const state = stateOf(photo);
  return make(
    'li',
    { class: CLASSES[state] },
    make(
      'div',
      {},
      make('span', { class: 'name' }, shownName(photo.file.name)),
      make('span', { class: 'state' }, `${humanSize(photo.file.size)} · ${stateText(photo, about)}`),
    ),
    sprite(ICONS[state]),
  );
}

function saveAs(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = make('a', { href: address, download: `${name}.txt` });
  link.click();
  URL.revokeObjectURL(address);
}
