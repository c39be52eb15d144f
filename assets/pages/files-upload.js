// Uploads as people see them: what is asked before, and the panel that says how far they are.

import { Failure, fill, humanSize, make, numbered, post, root, say, sprite, texts } from './files-common.js';
import { complain, showDialog, toast } from './files-overlays.js';
import { cancel, cancelAll, enqueue, forget, goOn, isOpen, jobs, queue, retry } from './files-queue.js';
import { estimate } from './sending.js';

const words = texts.upload;
/** Files in the panel; of more, the number. */
const SHOWN = 60;
/** Names of one question. */
const NAMES = 400;

export const isBusy = () => jobs.some(isOpen);

let refreshFolder = () => undefined;

/**
 * @param found `{ files: [{ file, way }], folders: [way] }` @param to `{ path, name }` the folder they go to
 * @param refresh told the path of a folder in which something is new
 */
export async function add({ files, folders }, to, refresh) {
  refreshFolder = refresh;
  if (files.length === 0 && folders.length === 0) {
    toast(words.nothing, null, 'alert');
    return;
  }
  const wanted = files.map(({ file, way }) => ({ file, way, folder: [to.path, ...way.slice(0, -1)].join('/') }));
  const answered = await askAboutTaken(wanted, to.path).catch((error) => {
    // What cannot be asked will be said by the upload itself.
    if (error.name === 'TypeError') throw error;
    return wanted;
  });
  if (answered === null) return;
  enqueue(
    answered.map(({ file, way, folder, name = way.at(-1), replaces = false }) => ({
      file,
      replaces,
      folder,
      name,
      path: `${folder}/${name}`,
      makesFolders: way.length > 1,
    })),
  );
  try {
    for (const way of folders) await makeFolder(to.path, way);
  } catch (error) {
    complain(error);
  }
  if (folders.length > 0) refreshFolder(to.path);
}

/** @throws Failure when it is not there afterwards */
async function makeFolder(path, way) {
  let above = path;
  for (const name of way) {
    const fields = [
      ['path[]', above],
      ['name', name],
    ];
    const { results } = await post('create-folder', fields);
    const { error, code } = results[0];
    if (error !== undefined && code !== 'already_exists') throw new Failure(0, { error: `${name}: ${error}`, code });
    above = `${above}/${name}`;
  }
}

/** What would take the place of another file is asked about before. @returns null when nothing is to go */
async function askAboutTaken(wanted, path) {
  const byFolder = Map.groupBy?.(wanted, ({ folder }) => folder) ?? grouped(wanted);
  const top = new Set(
    await takenIn(
      path,
      wanted.map(({ way }) => way[0]),
    ).then((taken) => taken.keys()),
  );
  const free = new Map();
  for (const [folder, some] of byFolder) {
    // Nothing is in a folder that is not there yet.
    if (folder !== path && !top.has(some[0].way[0])) continue;
    const taken = await takenIn(
      folder,
      some.map(({ way }) => way.at(-1)),
    );
    for (const one of some) if (taken.has(one.way.at(-1))) free.set(one, taken.get(one.way.at(-1)));
  }
  if (free.size === 0) return wanted;
  const answer = await askWhich([...free.keys()], wanted.length);
  if (answer === 'cancel') return null;
  if (answer === 'replace') return wanted.map((one) => ({ ...one, replaces: free.has(one) }));
  if (answer === 'skip') return wanted.filter((one) => !free.has(one));
  return wanted.map((one) => (free.has(one) ? { ...one, name: free.get(one) } : one));
}

function grouped(wanted) {
  const groups = new Map();
  for (const one of wanted) groups.set(one.folder, [...(groups.get(one.folder) ?? []), one]);
  return groups;
}

/** @returns the names that are there, each with one that is free */
async function takenIn(path, names) {
  const taken = new Map();
  const all = [...new Set(names)];
  for (let start = 0; start < all.length; start += NAMES) {
    const fields = all.slice(start, start + NAMES).map((name) => ['name[]', name]);
    const data = await post('taken', [['path', path], ...fields]).catch((error) => {
      if (error.status === 404 || error.status === 400) return { taken: [] };
      throw error;
    });
    for (const { name, free } of data.taken) taken.set(name, free);
  }
  return taken;
}

function askWhich(taken, all) {
  const { both, replace, skip, cancel: no, lead, heading, headingOne } = texts.taken;
  const title =
    all === 1 ? fill(headingOne, taken[0].way.at(-1)) : fill(heading, numbered(taken.length), numbered(all));
  return new Promise((resolve) => {
    let answer = 'cancel';
    const choice = (name, text, kind = '') =>
      make(
        'button',
        {
          type: 'button',
          class: kind,
          click: () => {
            answer = name;
            dialog.close();
          },
        },
        text,
      );
    const buttons = [
      choice('cancel', no),
      ...(all > 1 ? [choice('skip', skip)] : []),
      choice('replace', replace),
      choice('both', both, 'primary'),
    ];
    const dialog = showDialog(
      title,
      make('p', {}, lead),
      make('div', { class: 'act' }, make('div', { class: 'actions' }, ...buttons)),
    );
    buttons.at(-1).focus();
    dialog.addEventListener('close', () => resolve(answer));
  });
}

let panel = null;
const time = estimate(words.left);
let refreshAt = 0;

const timers = { draw: 0, refresh: 0 };

queue.changed = () => {
  timers.draw ||= setTimeout(() => {
    timers.draw = 0;
    draw();
  }, 150);
};

queue.finished = (job) => {
  if (job.state === 'sent') refreshSoon(job);
  if (!isBusy()) {
    say(summary());
    clearTimeout(timers.refresh);
    timers.refresh = setTimeout(refreshNow, 100);
  }
};

/** The folder on the screen is shown again while files come into it, but not for each of them. */
function refreshSoon({ folder }) {
  foldersWithNew.add(folder);
  if (timers.refresh === 0)
    timers.refresh = setTimeout(refreshNow, Math.max(300, refreshAt + 3_000 - performance.now()));
}

const foldersWithNew = new Set();

function refreshNow() {
  timers.refresh = 0;
  refreshAt = performance.now();
  const folders = new Set();
  // A new folder shows in those above it.
  for (const folder of foldersWithNew) {
    const parts = folder.split('/');
    for (let depth = 2; depth <= parts.length; depth += 1) folders.add(parts.slice(0, depth).join('/'));
  }
  foldersWithNew.clear();
  for (const folder of folders) refreshFolder(folder);
}

const counted = () => jobs.filter(({ state }) => state !== 'cancelled');
const bytesOf = (some, value) => some.reduce((sum, job) => sum + value(job), 0);

function summary() {
  const all = counted();
  const sent = all.filter(({ state }) => state === 'sent').length;
  const failed = all.filter(({ state }) => state === 'failed').length;
  if (failed > 0) return fill(words.withProblems, numbered(sent), numbered(all.length), numbered(failed));
  return sent === 1 ? words.finishedOne : fill(words.finished, numbered(sent));
}

function draw() {
  if (jobs.length === 0) {
    panel?.remove();
    panel = null;
    time.reset();
    return;
  }
  panel ??= open();
  const all = counted();
  const busy = isBusy();
  const [total, sent] = [bytesOf(all, ({ file }) => file.size), bytesOf(all, (job) => job.sent)];
  const done = all.filter(({ state }) => state === 'sent').length;
  const { heading, bar, facts, note, list, close, size } = panel.parts;
  heading.textContent = busy ? fill(words.progress, numbered(done), numbered(all.length)) : summary();
  bar.hidden = !busy;
  bar.max = Math.max(total, 1);
  bar.value = sent;
  const left = busy ? time.left(sent, total) : '';
  facts.hidden = !busy;
  facts.textContent = fill(words.bytes, humanSize(sent), humanSize(total)) + (left === '' ? '' : ` · ${left}`);
  close.textContent = busy ? words.cancelAll : words.close;
  size.setAttribute('aria-label', panel.classList.contains('small') ? words.larger : words.smaller);
  note.hidden = !queue.isSignedOut;
  note.querySelector('span').textContent = queue.isSomebodyElse ? words.somebodyElse : words.signedOut;
  drawList(list);
}

const ORDER = { failed: 0, sending: 1, pausing: 1, waiting: 2, sent: 3, cancelled: 4 };

function drawList(list) {
  const sorted = jobs.toSorted((a, b) => ORDER[a.state] - ORDER[b.state]);
  const shown = sorted.slice(0, SHOWN);
  const { activeElement } = document;
  const rows = shown.map((job) => {
    job.row ??= row(job);
    update(job);
    return job.row;
  });
  const hidden = sorted.length - shown.length;
  if (hidden > 0) rows.push(make('li', { class: 'said' }, fill(words.more, numbered(hidden))));
  if (rows.length !== list.childElementCount || rows.some((one, index) => one !== list.children[index]))
    list.replaceChildren(...rows);
  if (activeElement?.isConnected && activeElement !== document.activeElement) activeElement.focus();
}

function row(job) {
  const name = make('span', { class: 'name', title: job.name }, job.name);
  const said = make('span', { class: 'said' });
  const bar = make('progress', { max: Math.max(job.file.size, 1), 'aria-label': job.name });
  const button = make('button', { type: 'button', class: 'plain', click: () => press(job) });
  job.parts = { bar, said, button };
  return make('li', {}, make('div', {}, name, bar, said), button);
}

const canRetry = ({ state, isHopeless }) => state === 'failed' && !isHopeless;

function press(job) {
  if (isOpen(job)) cancel(job);
  else if (canRetry(job)) retry(job);
  else forget(job);
}

function update(job) {
  const { bar, said, button } = job.parts;
  const { state } = job;
  const size = humanSize(job.file.size);
  const text = {
    waiting: `${words.waiting} · ${size}`,
    sending: job.said || fill(words.bytes, humanSize(job.sent), size),
    pausing: job.said,
    failed: job.said,
    sent: `${words.sent} · ${size}`,
    cancelled: words.cancelled,
  }[state];
  if (said.textContent !== text) said.textContent = text;
  said.className = `said${state === 'failed' ? ' problem' : state === 'sent' ? ' good' : ''}`;
  bar.hidden = state !== 'sending' && state !== 'pausing';
  bar.value = job.sent;
  const word = isOpen(job) ? words.cancel : canRetry(job) ? words.retry : words.remove;
  button.hidden = state === 'sent';
  if (button.textContent !== word) button.textContent = word;
  button.setAttribute('aria-label', `${word}: ${job.name}`);
}

function open() {
  const heading = make('h2', {}, words.heading);
  const bar = make('progress', { 'aria-label': words.heading });
  const facts = make('p');
  const list = make('ul');
  const note = make('div', { class: 'note care', hidden: true }, sprite('alert'), make('span', {}, words.signedOut));
  const signIn = make(
    'a',
    { class: 'button', target: '_blank', rel: 'noopener', href: `${root.dataset.base}/` },
    words.signIn,
  );
  note.append(signIn, make('button', { type: 'button', click: () => void goOn() }, words.goOn));
  const close = make('button', { type: 'button', class: 'plain', click: closeAll });
  const size = make(
    'button',
    { type: 'button', class: 'bare', click: () => panel.classList.toggle('small') },
    sprite('chevron'),
  );
  size.addEventListener('click', queue.changed);
  const shown = make(
    'section',
    { class: 'uploads-panel', 'aria-label': words.heading },
    make('header', {}, heading, close, size, bar, facts),
    note,
    list,
  );
  shown.parts = { heading, bar, facts, note, list, close, size };
  document.body.append(shown);
  return shown;
}

function closeAll() {
  cancelAll();
  draw();
}

/** Who has signed in again elsewhere comes back to this page. */
addEventListener('focus', () => void goOn());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void goOn();
});
