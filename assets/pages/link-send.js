// Files for whoever made a link: dropped, chosen or pasted, and how far each has come.

import { make, say, sprite } from './elements.js';
import { extensions } from './file-types.js';
import { forgetOld } from './link-keys.js';
import { cancel, canRetry, enqueue, humanSize, isOpen, jobs, pump, queue, remove, retry } from './link-queue.js';
import { texts } from './link-texts.js';
import { estimate } from './sending.js';
import { fill, numbered } from './words.js';

const words = texts.upload;
/** Files in the list; of more, the number. */
const SHOWN = 100;
/** So long after the last key a name is taken for complete. Milliseconds. */
const TYPED = 2_000;

const form = document.querySelector('form.send');
const area = form.querySelector('.drop');
const sendings = document.querySelector('.sendings');
const nameField = form.elements.sender ?? null;
const icons = new URL('../icons/', import.meta.url);

/* What is chosen. */

const chosen = form.elements.file;
const folderChooser = make('input', { type: 'file', webkitdirectory: true, tabindex: -1, hidden: true });
chosen.required = false;
chosen.multiple = true;
chosen.closest('.field').hidden = true;
form.querySelector('.actions').hidden = true;
form.classList.add('scripted');
form.append(folderChooser);

for (const input of [chosen, folderChooser]) {
  input.addEventListener('change', () => {
    const files = [...input.files].map((file) => ({ file, way: (file.webkitRelativePath || file.name).split('/') }));
    input.value = '';
    add(files);
  });
}

const choose = make(
  'button',
  { type: 'button', class: 'text', click: () => chosen.click() },
  make('span', { class: 'fine' }, words.chooseThem),
  make('span', { class: 'coarse' }, words.choose),
);
area
  .querySelector('.cloud')
  .after(make('p', {}, make('span', { class: 'fine' }, make('strong', {}, words.drop), ` ${words.or} `), choose));
if ('webkitdirectory' in folderChooser) {
  const help = area.querySelector('.help') ?? area.appendChild(make('p', { class: 'help' }));
  const button = make(
    'button',
    { type: 'button', class: 'text', click: () => folderChooser.click() },
    words.chooseFolder,
  );
  help.append(make('span', { class: 'fine' }, help.textContent === '' ? '' : ' · ', button));
}

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes('Files') === true;

addEventListener('dragover', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = queue.end === null ? 'copy' : 'none';
  area.classList.toggle('over', queue.end === null);
});
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) area.classList.remove('over');
});
addEventListener('drop', async (event) => {
  area.classList.remove('over');
  if (!hasFiles(event)) return;
  event.preventDefault();
  // What was dropped can be asked for at this moment only.
  const { items, files } = event.dataTransfer;
  const entries = [...items].map((one) => one.webkitGetAsEntry?.() ?? null).filter(Boolean);
  if (entries.length === 0) return add(plain(files));
  const { readDropped } = await import('./files-dropped.js');
  const found = await readDropped(entries);
  add(found.files, found.folders.length > 0);
});
addEventListener('paste', ({ clipboardData }) => {
  if (clipboardData !== null && clipboardData.files.length > 0) add(plain(clipboardData.files));
});

const plain = (files) => [...files].map((file) => ({ file, way: [file.name] }));

function add(files, hasEmptyFolders = false) {
  if (queue.end !== null || (files.length === 0 && !hasEmptyFolders)) return;
  const details = form.closest('details');
  if (details !== null) details.open = true;
  takeName();
  const wasBusy = jobs.some(isOpen);
  const known = enqueue(files);
  const remarks = [hasEmptyFolders ? words.emptyFolders : '', known > 0 ? words.known : ''].filter(Boolean);
  parts.remark.textContent = remarks.join(' ');
  sendings.hidden = false;
  const begun = jobs.filter(isOpen).length;
  if (!wasBusy && begun > 0 && queue.sender() !== '') {
    say([begun === 1 ? words.begunOne : fill(words.begun, numbered(begun)), ...remarks].join('. '));
  } else if (remarks.length > 0) say(remarks.join(' '));
  if (!jobs.some(isOpen)) queue.finished();
}

/* Who sends. */

/** What the field has said when nobody was typing in it. */
let sender = null;
const takeName = () => {
  sender = nameField?.value.trim() ?? null;
};
takeName();
queue.sender = () => sender;

queue.needsName = () => {
  if (nameField === null) return;
  nameField.focus();
  if (nameField.hasAttribute('aria-invalid')) return;
  const problem = make(
    'p',
    { class: 'error', id: 'sender-missing' },
    sprite('alert'),
    make('span', {}, words.needsName),
  );
  nameField.setAttribute('aria-invalid', 'true');
  nameField.dataset.describedBy = nameField.getAttribute('aria-describedby') ?? '';
  nameField.setAttribute('aria-describedby', 'sender-missing');
  nameField.after(problem);
};

function named() {
  clearTimeout(timers.typed);
  takeName();
  if (sender !== '') pump();
}

nameField?.addEventListener('input', () => {
  if (nameField.value.trim() !== '' && nameField.hasAttribute('aria-invalid')) {
    nameField.removeAttribute('aria-invalid');
    nameField.setAttribute('aria-describedby', nameField.dataset.describedBy ?? '');
    document.getElementById('sender-missing')?.remove();
  }
  clearTimeout(timers.typed);
  timers.typed = setTimeout(named, TYPED);
});
nameField?.addEventListener('change', named);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  named();
});

/* How far it has come. */

const parts = {
  heading: make('strong'),
  facts: make('span'),
  bar: make('progress', { 'aria-label': words.heading }),
  remark: make('p', { class: 'remark' }),
  note: make('div', { class: 'note', role: 'alert', hidden: true }, sprite('alert')),
  list: make('ul'),
};
sendings.append(
  make('div', { class: 'all' }, parts.heading, parts.facts),
  parts.bar,
  parts.remark,
  parts.note,
  parts.list,
);
sendings.setAttribute('role', 'region');
sendings.setAttribute('aria-label', words.heading);

const time = estimate(words.left);
const timers = { draw: 0, typed: 0 };

queue.changed = () => {
  timers.draw ||= setTimeout(() => {
    timers.draw = 0;
    draw();
  }, 100);
};

let saidEnd = false;
queue.finished = () => {
  queue.changed();
  if (jobs.some(isOpen)) return;
  time.reset();
  if (queue.end !== null) return sayEnd();
  if (jobs.some(({ state }) => state === 'sent' || state === 'failed')) say(summary());
};

function sayEnd() {
  if (saidEnd) return;
  saidEnd = true;
  parts.note.append(make('span', {}, words[queue.end]));
  if (queue.end === 'stale') {
    const reload = make('button', { type: 'button', click: () => location.reload() }, words.reload);
    parts.note.append(reload);
  }
  parts.note.hidden = false;
  area.hidden = true;
}

function summary() {
  const count = (wanted) => jobs.filter(({ state }) => state === wanted).length;
  const [sent, failed] = [count('sent'), count('failed')];
  if (failed > 0) return fill(words.someFailed, numbered(sent), numbered(sent + failed), numbered(failed));
  return sent === 1 ? words.doneOne : fill(words.done, numbered(sent));
}

/** "108 of 164 MB": the unit once, where it is the same. */
function progressOf(sent, total) {
  const [a, b] = [humanSize(sent), humanSize(total)];
  const [number, unit] = a.split(' ');
  if (sent === 0) return fill(words.bytes, '0', b);
  return fill(words.bytes, b.endsWith(` ${unit}`) ? number : a, b);
}

function draw() {
  sendings.hidden = jobs.length === 0;
  const isBusy = jobs.some(isOpen);
  const going = jobs.filter((job) => isOpen(job) || job.state === 'sent' || (job.state === 'failed' && !job.isRefused));
  const sum = (value) => going.reduce((all, job) => all + value(job), 0);
  const [total, sent] = [sum(({ file }) => file.size), sum((job) => job.sent)];
  const done = going.filter(({ state }) => state === 'sent').length;
  const { heading, facts, bar, list } = parts;
  const hasEnded = done > 0 || jobs.some(({ state }) => state === 'failed');
  heading.textContent = isBusy
    ? fill(words.progress, numbered(done), numbered(going.length))
    : hasEnded
      ? summary()
      : '';
  bar.hidden = !isBusy;
  bar.max = Math.max(total, 1);
  bar.value = sent;
  const left = isBusy && jobs.some(({ state }) => state === 'sending') ? time.left(sent, total) : '';
  const { folder } = form.dataset;
  if (isBusy) facts.textContent = [progressOf(sent, total), left].filter(Boolean).join(' · ');
  else if (folder === undefined || done === 0) facts.textContent = '';
  else if (facts.firstElementChild === null) facts.replaceChildren(make('a', { href: folder }, words.show));
  drawList(list);
}

const ORDER = { failed: 0, sending: 1, pausing: 1, waiting: 2, sent: 3, cancelled: 4 };

function drawList(list) {
  // Each has its place, unless there are too many of them.
  const shown = jobs.length <= SHOWN ? jobs : jobs.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]).slice(0, SHOWN);
  const rows = shown.map((job) => {
    job.row ??= row(job);
    update(job);
    return job.row;
  });
  if (jobs.length > shown.length) {
    rows.push(make('li', { class: 'rest' }, fill(words.more, numbered(jobs.length - shown.length))));
  }
  if (rows.length === list.childElementCount && rows.every((one, index) => one === list.children[index])) return;
  const { activeElement } = document;
  list.replaceChildren(...rows);
  if (activeElement?.isConnected && activeElement !== document.activeElement) activeElement.focus();
}

const types = new Map(
  Object.entries(extensions).flatMap(([type, names]) => names.split(' ').map((name) => [name, type])),
);
const typeOf = (name) =>
  types.get(
    name
      .split('/')
      .at(-1)
      .match(/.\.([^.]+)$/)?.[1]
      .toLowerCase(),
  ) ?? 'other';

function row(job) {
  const picture = make('img', { src: `${icons}${typeOf(job.name)}.svg`, width: 36, height: 36, alt: '' });
  const name = make('span', { class: 'name' }, job.name);
  const size = make('span', { class: 'bytes' });
  const bar = make('progress', { max: Math.max(job.file.size, 1), 'aria-label': job.name });
  const why = make('span', { class: 'why' });
  const word = make('span', { class: 'word' });
  const button = make('button', { type: 'button', click: () => press(job) });
  const state = make('span', { class: 'state' }, word, button);
  job.parts = { size, bar, why, word, button, state };
  return make('li', {}, picture, name, size, bar, why, state);
}

function press(job) {
  if (isOpen(job)) cancel(job);
  else if (canRetry(job)) retry(job);
  else {
    // Whoever works with keys goes on from where the row was.
    const next = job.row.nextElementSibling ?? job.row.previousElementSibling;
    remove(job);
    (next?.querySelector('button:not([hidden])') ?? choose).focus();
  }
}

function update(job) {
  const { size, bar, why, word, button, state } = job.parts;
  const isGoing = job.state === 'sending' || job.state === 'pausing';
  set(size, isGoing ? progressOf(job.sent, job.file.size) : humanSize(job.file.size));
  bar.hidden = !isGoing;
  bar.value = job.sent;
  set(why, job.said);
  why.hidden = job.said === '';
  job.row.dataset.state = job.state;
  const isStopped = job.state === 'failed' && queue.end !== null && !job.isRefused;
  const label = { waiting: words.waiting, sent: words.sent, cancelled: words.cancelled };
  if (job.state === 'sent' && word.firstElementChild === null) word.replaceChildren(sprite('check'), words.sent);
  else if (job.state !== 'sent') set(word, isStopped ? words.notSent : (label[job.state] ?? ''));
  state.classList.toggle('good', job.state === 'sent');
  button.hidden = job.state === 'sent' || isStopped;
  const verb = isOpen(job) ? words.cancel : canRetry(job) ? words.retry : words.remove;
  set(button, verb);
  button.setAttribute('aria-label', `${verb}: ${job.name}`);
}

function set(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

addEventListener('beforeunload', (event) => {
  if (jobs.some(isOpen)) event.preventDefault();
});

forgetOld();
document.documentElement.dataset.sends = '';
