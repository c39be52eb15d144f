// Prints the subjects of `npm run test:all` that belong to changed files, those with most changes first:
//   node test/subjects.mjs [<commit>]     what has changed since then; without it in the last 20 commits
// A subject is a folder of `test/`. Only those that have more in the full form than in `npm test` are printed.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** The subjects of the folders of `server/`; a folder that is missing here has a subject of its own name. */
const OF_SERVER = {
  accounts: ['people', 'oauth', 'control'],
  activity: ['api', 'database'],
  albums: ['albums', 'pages'],
  backup: ['backup', 'faults'],
  catalogue: ['catalogue', 'api'],
  comments: ['api', 'pages'],
  composition: ['api', 'faults', 'desktop'],
  config: ['cli', 'unit'],
  control: ['control', 'panel'],
  database: ['database', 'faults'],
  fields: ['api'],
  files: ['api', 'faults', 'journal', 'model'],
  http: ['api', 'webdav'],
  imports: ['imports', 'pages'],
  lib: ['unit'],
  listing: ['api'],
  mail: ['control'],
  media: ['media', 'workers', 'api'],
  messages: ['unit', 'pages'],
  metadata: ['api'],
  people: ['api', 'people'],
  settings: ['control'],
  shares: ['api', 'access'],
  sharing: ['api', 'access'],
  stars: ['api'],
  storage: ['storage', 'faults'],
  tus: ['api'],
  web: ['pages'],
  webdav: ['webdav', 'nextcloud'],
  weblinks: ['api', 'pages'],
};

/** The subjects of the other folders. */
const OF_FOLDER = { main: ['desktop'], renderer: ['panel'], 'web-client': ['pages', 'web-client'] };

/** The subjects of one changed file, by its path in the project. */
export function subjectsOf(path) {
  const [top, folder] = path.split('/');
  if (top === 'server') return path.split('/').length === 2 ? ['cli', 'desktop'] : (OF_SERVER[folder] ?? [folder]);
  if (top === 'test') return [folder];
  // The commands of the guides are run.
  if (path === 'README.md' || top === 'docs') return ['cli'];
  return OF_FOLDER[top] ?? [];
}

/** The files of tests of which the full form runs more than `npm test`: matrices in whole, more tests, or all of the file. */
export function filesWithFullForm() {
  const paths = readdirSync(`${ROOT}test`, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('\\', '/'),
  );
  const isFull = (path) =>
    path.endsWith('.full.ts') ||
    (path.endsWith('.test.ts') &&
      /\b(?:sampled|oneOfEachKind|isFullForm|itInFull|describeInFull|looksAt|inspect|inspectPanel)\b/.test(
        readFileSync(`${ROOT}test/${path}`, 'utf8'),
      ));
  return paths.filter((path) => path.includes('/') && isFull(path)).map((path) => `test/${path}`);
}

/** The folders of `test/` with such files. */
export function subjectsWithFullForm() {
  return new Set(filesWithFullForm().map((path) => path.split('/')[1]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const since = process.argv[2] ?? oldestOf(20);
  const changed = git('diff', '--name-only', since, 'HEAD');
  const known = subjectsWithFullForm();
  const counts = new Map();
  for (const subject of changed.flatMap(subjectsOf))
    if (known.has(subject)) counts.set(subject, (counts.get(subject) ?? 0) + 1);
  const inOrder = [...counts].sort(([, a], [, b]) => b - a).map(([subject]) => subject);
  process.stdout.write(`${inOrder.join(' ')}\n`);
}

/** The commit before the last so many; the first one of a shorter history. */
function oldestOf(count) {
  return git('rev-list', '--first-parent', `--max-count=${count + 1}`, 'HEAD').at(-1);
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}
