// The pages for files, made quicker and easier: without this script they work all the same. A page is fetched in parts and takes
// the place of the one before, so that uploads go on; what can be done stands in the page's own links and forms.

import { after, leaving, perform, showFailure } from './files-actions.js';
import { ask, base, Failure, fill, make, root, say, sprite, texts } from './files-common.js';
import {
  attach,
  clear,
  describe,
  focusOn,
  itemOf,
  items,
  jump,
  listing,
  loadedRows,
  move,
  selectAll,
  selection,
  toggle,
} from './files-list.js';
import { closeMenu, showMenu } from './files-overlays.js';

const main = document.getElementById('content');
const places = document.querySelector('.places');

let uploads = null;
const loadUploads = () => import('./files-upload.js');
const isUploading = () => uploads?.isBusy() === true;

/** Whether an address is one of the pages that are shown here. */
function isOurs({ origin, pathname }) {
  return origin === location.origin && [`${base}/`, `${base}/item`].includes(pathname);
}

function remember() {
  history.replaceState({ rows: loadedRows(), top: scrollY }, '');
}

/** As many as a page begins with. */
const FIRST_ROWS = 30;

let latest = 0;
let shownMain = '';

/** Shows another page in the place of this one. */
async function show(address, { push = true, rows = 0, top = 0, kept = false, focus = null, quiet = false } = {}) {
  const turn = ++latest;
  const acted = document.activeElement?.dataset?.do;
  const wanted = new URL(address, location.href);
  if (rows > FIRST_ROWS) wanted.searchParams.set('limit', Math.min(rows, 2_000));
  main.classList.add('busy');
  try {
    const { data, address: found } = await ask('GET', wanted.href);
    if (turn !== latest) return;
    // Opened while the answer was on its way: nothing is taken from under the finger.
    if (quiet && isInUse()) {
      void refresh(focus);
      return;
    }
    closeMenu();
    const shown = new URL(found);
    if (rows > FIRST_ROWS) shown.searchParams.delete('limit');
    if (push && shown.href !== location.href) {
      remember();
      history.pushState({}, '', shown.href);
    }
    document.title = data.title;
    if (!quiet || data.main !== shownMain || focus !== null) {
      const typed = quiet ? (main.querySelector('.saying textarea')?.value ?? '') : '';
      places.innerHTML = data.nav;
      put(data.main);
      const box = main.querySelector('.saying textarea');
      if (typed !== '' && box !== null) box.value = typed;
      prepare();
      attach({ kept, focus });
    }
    shownMain = data.main;
    scrollTo(0, top);
    if (quiet && focus === null && acted !== undefined) {
      const same = acted === 'star' || acted === 'unstar' ? '[data-do=star], [data-do=unstar]' : `[data-do="${acted}"]`;
      main.querySelector(`.facts :is(${same})`)?.focus();
    }
    if (!quiet && focus === null) {
      main.focus({ preventScroll: true });
      say(document.querySelector('h1')?.textContent ?? data.title);
    }
  } catch (error) {
    if (turn !== latest || !(error instanceof Failure)) throw error;
    // The server has a page for what went wrong; but it would end what is being uploaded.
    if (quiet || error.status === 0 || isUploading()) showFailure(error);
    else location.href = wanted.href;
  } finally {
    if (turn === latest) main.classList.remove('busy');
  }
}

/** Puts another page into this one. What is shown of a file stays when it is the same: somebody may be in the middle of it. */
function put(text) {
  const fresh = document.createElement('template');
  fresh.innerHTML = text;
  const [old, next] = [main, fresh.content].map((place) => place.querySelector('.shown'));
  if (old === null || old.innerHTML !== next?.innerHTML) main.replaceChildren(fresh.content);
  else for (const part of ['.way', '.facts']) main.querySelector(part).replaceWith(fresh.content.querySelector(part));
}

let refreshing = 0;

/** Whether somebody types in the page, or chooses from a menu of it. */
const isInUse = () => document.activeElement?.matches('.search input, .saying textarea, .menu *') === true;

/** The same page again, as it is now; not while somebody types in it or chooses from a menu. */
function refresh(focus = null) {
  clearTimeout(refreshing);
  const { activeElement: active } = document;
  if (isInUse()) {
    refreshing = setTimeout(() => refresh(focus), 1_500);
    return Promise.resolve();
  }
  // The bar of what was selected goes; where the keyboard was in the list, it is again.
  const stop = active?.closest('.selection') ? document.querySelector('.items .open[tabindex="0"]') : active;
  const focused = focus ?? itemOf(stop)?.dataset.path ?? null;
  return show(location.href, {
    push: false,
    rows: loadedRows(),
    top: scrollY,
    kept: true,
    focus: focused,
    quiet: true,
  });
}

after.changed = async (path = null) => {
  const facts = document.querySelector('.facts');
  if (facts !== null && path !== null && path !== facts.dataset.path) {
    const address = new URL(location.href);
    address.searchParams.set('path', path);
    history.replaceState({}, '', address.href);
  }
  await refresh(path);
};

after.gone = async () => {
  const facts = document.querySelector('.facts');
  if (facts !== null) {
    await show(`${base}/?path=${encodeURIComponent(facts.dataset.back)}`);
    return;
  }
  const all = items();
  const index = Math.max(0, all.indexOf(itemOf(document.activeElement)));
  await refresh();
  const left = items();
  const isLost = document.activeElement === document.body || document.activeElement === main;
  if (left.length > 0 && isLost) focusOn(left[Math.min(index, left.length - 1)]);
};

/** What a page offers more with the script. */
function prepare() {
  places.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const upload = document.querySelector('[data-do=upload]');
  if (upload === null || !('webkitdirectory' in HTMLInputElement.prototype)) return;
  const label = document.getElementById('more-uploads').dataset.label;
  const caret = make('button', { type: 'button', class: 'primary caret', 'aria-label': label, title: label });
  caret.addEventListener('click', () => {
    const { content } = document.getElementById('more-uploads');
    showMenu([...content.cloneNode(true).children], caret, caret, (action) => chooseFiles(action === 'upload-folder'));
  });
  caret.append(sprite('chevron'));
  upload.after(caret);
}

/** What the action is about: what is selected, or the one that it was asked for. */
function subjects(item) {
  if (item === null) return selection();
  const chosen = selection();
  const own = describe(item);
  return chosen.some(({ path }) => path === own.path) ? chosen : [own];
}

async function act(action, about) {
  const [first] = about;
  if (action === 'open') itemFor(first.path)?.querySelector('.open').click();
  else if (action === 'details') await show(`${base}/item?path=${encodeURIComponent(first.path)}`);
  else if (action === 'select') toggle(itemFor(first.path));
  else if (action === 'clear') clear();
  else await perform(action, about);
}

const itemFor = (path) => items().find((item) => item.dataset.path === path) ?? null;

/** The menu of an entry: what is possible with it, or with all that is selected. */
function openMenuFor(item, at) {
  const template = document.getElementById('menu');
  if (template === null) return;
  const about = subjects(item);
  const [first] = about;
  const can = listing().dataset.can.split(' ');
  const isFit = {
    open: () => about.length === 1,
    details: () => about.length === 1,
    rename: () => about.length === 1,
    share: () => about.length === 1,
    link: () => about.length === 1 && (first.isDir || can.includes('linkFiles')),
    star: () => about.some(({ isStarred }) => !isStarred),
    unstar: () => about.every(({ isStarred }) => isStarred),
    download: () => about.every(({ isDir, isClosed }) => !isClosed && (!isDir || can.includes('downloadFolders'))),
  };
  const entries = [...template.content.cloneNode(true).children].filter(({ dataset }) => isFit[dataset.do]?.() ?? true);
  showMenu(entries, at, item.querySelector('.open'), (action) => void act(action, about));
}

function chooseFiles(isFolder) {
  const input = make('input', { type: 'file', multiple: true, webkitdirectory: isFolder });
  input.addEventListener('change', () => {
    const { path, name } = listing().dataset;
    const files = [...input.files].map((file) => ({ file, way: (file.webkitRelativePath || file.name).split('/') }));
    void startUploads({ files, folders: [] }, path, name);
  });
  input.click();
}

async function startUploads(found, path, name) {
  const { add, isBusy } = await loadUploads();
  uploads = { isBusy };
  await add(found, { path, name }, (folder) => {
    if (listing()?.dataset.path === folder && listing().dataset.search === undefined) void refresh();
  });
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0) return;
  for (const drop of document.querySelectorAll('.drop[open]')) {
    if (!drop.contains(event.target) || event.target.closest('a') !== null) drop.open = false;
  }
  const target = event.target.closest('a, button');
  if (target === null || target.closest('.menu') !== null || !(main.contains(target) || places.contains(target)))
    return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const { do: action } = target.dataset;
  const item = itemOf(target);
  if (target.matches('.more')) {
    event.preventDefault();
    openMenuFor(item, target);
  } else if (action === 'upload') {
    event.preventDefault();
    chooseFiles(false);
  } else if (action === 'create-folder') {
    event.preventDefault();
    void perform(action, [{ path: listing().dataset.path }]);
  } else if (action !== undefined) {
    event.preventDefault();
    void act(action, target.closest('.facts') === null ? subjects(null) : [fromFacts(target.closest('.facts'))]);
  } else if (item !== null && target.matches('.open') && listing().dataset.can.split(' ').includes('restore')) {
    // What is in the trash cannot be opened; it can be put back.
    event.preventDefault();
    openMenuFor(item, item.querySelector('.more'));
  } else if (target.rel === 'next' && target.closest('.more-rows') !== null) {
    event.preventDefault();
    void import('./files-list.js').then(({ loadMore }) => loadMore());
  } else if (target.href && target.target === '' && isOurs(new URL(target.href))) {
    event.preventDefault();
    void show(target.href);
  }
});

function fromFacts({ dataset: { path, name } }) {
  const isDir = document.querySelector('.facts [data-do=download].primary') === null;
  return { path, name, isDir, isStarred: document.querySelector('.facts [data-do=unstar]') !== null };
}

main.addEventListener('submit', (event) => {
  if (event.target.closest('.comments') !== null) {
    event.preventDefault();
    void import('./files-comments.js').then(({ submit }) => submit(event.target, event.submitter));
    return;
  }
  if (!event.target.matches('.search')) return;
  event.preventDefault();
  void show(`${event.target.action}?${new URLSearchParams(new FormData(event.target))}`);
});

main.addEventListener('contextmenu', (event) => {
  const item = itemOf(event.target);
  if (item === null || event.shiftKey) return;
  event.preventDefault();
  const isKey = event.clientX === 0 && event.clientY === 0;
  openMenuFor(
    item,
    isKey || event.pointerType === '' ? item.querySelector('.more') : { x: event.clientX, y: event.clientY },
  );
});

const KEYS = { Delete: ['delete', 'erase'], F2: ['rename'] };

// On a fresh page the keyboard is nowhere yet; what moves from photo to photo works there, too.
document.addEventListener('keydown', (event) => {
  if (event.target === document.body && !event.defaultPrevented) keysOfItemPage(event);
});

main.addEventListener('keydown', async (event) => {
  const { target, key } = event;
  const item = itemOf(target);
  if (target.matches('.saying textarea') && key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    return target.form.requestSubmit(target.form.querySelector('button'));
  }
  if (target.matches('input, textarea, select, audio, video, .paper') || target.closest('.comments') !== null) return;
  if (item === null) return keysOfItemPage(event);
  if (event.altKey && key === 'ArrowUp') return up(event);
  if (event.altKey) return;
  if (key === ' ') toggle(item, event.shiftKey);
  else if (key === 'a' && (event.ctrlKey || event.metaKey)) void selectAll();
  else if (key === 'Escape') clear();
  else if (key === 'Backspace') return up(event);
  else if (key === '/') document.querySelector('.search input')?.focus();
  else if (Object.hasOwn(KEYS, key)) {
    const can = listing().dataset.can.split(' ');
    const action = KEYS[key].find((one) => can.includes(one));
    const about = action === 'rename' ? [describe(item)] : subjects(selection().length > 0 ? null : item);
    if (action !== undefined) void perform(action, about);
  } else if (await move(item, event)) return;
  else if (key === 'Enter' || !jump(item, event)) return;
  event.preventDefault();
});

function up(event) {
  const link = [...document.querySelectorAll('.crumbs a')].at(-1);
  if (!link) return;
  event.preventDefault();
  link.click();
}

function keysOfItemPage(event) {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  if (document.querySelector('.viewer') === null || ctrlKey || metaKey || altKey || shiftKey) return;
  const link = {
    ArrowLeft: '.step.prev',
    ArrowRight: '.step.next',
    Escape: '.crumbs li:last-child a',
    F2: '.facts [data-do=rename]',
    Delete: '.facts [data-do=delete]',
  }[event.key];
  const there = link === undefined ? null : document.querySelector(link);
  if (there === null) return;
  event.preventDefault();
  there.click();
}

addEventListener('popstate', ({ state }) => {
  void show(location.href, { push: false, rows: state?.rows ?? 0, top: state?.top ?? 0 });
});
addEventListener('pagehide', remember);
addEventListener('beforeunload', (event) => {
  if (isUploading() && !leaving.forDownload) event.preventDefault();
});

/** What is dragged over the page is told where it goes. */
let dropping = null;

function endDrop() {
  dropping?.remove();
  dropping = null;
}

const canDrop = (event) =>
  event.dataTransfer?.types.includes('Files') === true &&
  listing()?.dataset.can.split(' ').includes('upload') === true &&
  document.querySelector('dialog[open]') === null;

addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = canDrop(event) ? 'copy' : 'none';
  if (!canDrop(event)) return;
  dropping ??= document.body.appendChild(
    make('div', { class: 'dropping' }, fill(texts.upload.drop, listing().dataset.name)),
  );
});
addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) endDrop();
});
addEventListener('drop', (event) => {
  const isWanted = canDrop(event);
  endDrop();
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  if (!isWanted) return;
  const { path, name } = listing().dataset;
  // What was dropped can be asked for at this moment only.
  const entries = [...event.dataTransfer.items].map((one) => one.webkitGetAsEntry?.() ?? null).filter(Boolean);
  void import('./files-dropped.js').then(async ({ readDropped }) =>
    startUploads(await readDropped(entries), path, name),
  );
});

document.documentElement.classList.add('js');
history.scrollRestoration = 'manual';
prepare();
attach();
if (history.state?.top) scrollTo(0, history.state.top);
root.dataset.ready = '';
