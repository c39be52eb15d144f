// `npm run sandbox`: a household to try things on, with people, files, a link and an app. It is gone when it stops.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { openLarder } from '../dist/server/composition/larder.js';
import { parseConfig } from '../dist/server/config/config.js';
import { createLog } from '../dist/server/lib/log/log.js';

const PASSWORD = 'orchard house in summer';

const folder = await mkdtemp(join(tmpdir(), 'larder-sandbox-'));
let stop = () => {};
const stopped = new Promise((resolve) => {
  stop = resolve;
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);

const log = createLog('silent');
// Any free ports, unless they are given: whatever else runs here goes on.
const flags = { folder, port: 0, httpPort: 0, controlPort: 0 };
const given = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('LARDER_')));
delete given.LARDER_FOLDER;
for (const [name, variable] of Object.entries({ port: 'LARDER_PORT', controlPort: 'LARDER_CONTROL_PORT' })) {
  if (given[variable] !== undefined) delete flags[name];
}
const larder = await openLarder({ config: parseConfig(flags, given), log });
try {
  const { port } = await larder.serve();
  const control = (method, input = {}) => larder.dispatcher.dispatch(method, input);
  await control('setup', {
    owner: 'ann',
    name: 'Ann',
    password: PASSWORD,
    enableApi: true,
    householdName: 'Orchard House',
  });
  const ids = await addPeople(control);
  await addFiles();
  await give(control, ids);
  const app = await control('clients.add', { name: 'Notes', redirectUris: ['https://notes.example/callback'] });
  const { url: panel } = await control('panel.link');
  print(port, app, panel);
  await stopped;
} finally {
  await larder.close();
  await rm(folder, { recursive: true, force: true });
}

async function addPeople(control) {
  const child = await control('roles.add', { name: 'Child', permissions: { weblink: false, space_quota_max: 500 } });
  await control('groups.add', { name: 'Family' });
  const people = [
    { username: 'mia', name: 'Mia', roleId: child.id, groups: ['Family'] },
    { username: 'ben', name: 'Ben', groups: ['Family'] },
    { username: 'gran', name: 'Gran', groups: ['Family'], permissions: { space_quota_max: 1 } },
  ];
  const ids = { ann: 1 };
  for (const person of people) {
    const added = await control('accounts.add', { ...person, password: PASSWORD, createHomeFolder: true });
    ids[person.username] = added.id;
  }
  return ids;
}

/** A lake between hills, in the light of an hour: something to look at instead of one colour. */
function landscape(hue, number) {
  const hill = (height, lightness) => {
    const points = Array.from({ length: 13 }, (_, x) => {
      const wave = Math.sin(x * 0.9 + number * 2 + height) + Math.sin(x * 2.3 + number);
      return `${x * 100},${Math.round(height + wave * 40)}`;
    });
    return `<polygon points="0,800 ${points.join(' ')} 1200,800" fill="hsl(${hue + 40}, 28%, ${lightness}%)"/>`;
  };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="hsl(${hue}, 55%, 45%)"/><stop offset="1" stop-color="hsl(${hue + 30}, 70%, 85%)"/>
    </linearGradient></defs>
    <rect width="1200" height="800" fill="url(#sky)"/>
    <circle cx="${300 + number * 150}" cy="${200 + number * 30}" r="60" fill="hsl(45, 90%, 92%)"/>
    ${hill(380, 45)}${hill(470, 34)}
    <rect y="600" width="1200" height="200" fill="hsl(${hue + 10}, 40%, 60%)"/>
    ${hill(720, 22)}
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}

/** Plain files, as other programs would put them there. */
async function addFiles() {
  const files = {
    'ann/Documents/Shopping.md': '# Shopping\n\n- quinces\n- jars\n- sugar\n',
    'ann/Documents/Recipes/Quince jelly.txt': 'Wash the quinces, cut them, and boil them for an hour.\n',
    'ann/Documents/Bills.csv': 'when,what,how much\n2026-10-01,Seeds,24.50\n2026-11-01,Jars,18.00\n',
    ...Object.fromEntries(
      await Promise.all(
        [10, 60, 130, 200, 280].map(async (hue, n) => [
          `mia/Pictures/Summer at the lake/${n + 1}.jpg`,
          await landscape(hue, n),
        ]),
      ),
    ),
    'ben/Music/List.txt': 'To practise: scales, and the slow movement.\n',
    'gran/Letters/To Mia.txt': 'Dear Mia, the apples are ripe.\n',
    'gran/Letters/Long.txt': 'The weather was good. '.repeat(46_000),
  };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, 'homes', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** A share, a web link and a comment, as apps make them. */
async function give(control, { ann, mia, ben }) {
  let number = 0;
  const as = async (accountId, operation, parameters) => {
    number += 1;
    const entries = Object.entries(parameters).map(([name, value]) => ({ name, value: String(value) }));
    const { status, body } = await control('api.try', {
      ...{ id: `sandbox ${number}`, accountId, operation, method: 'POST', parameters: entries },
    });
    if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  };
  await as(ann, 'files/weblink', { path: '/ROOT/HOME/Documents/Recipes' });
  await as(mia, 'files/share', { path: '/ROOT/HOME/Pictures/Summer at the lake', uid: ben });
  await as(mia, 'files/share', { path: '/ROOT/HOME/Pictures/Summer at the lake', uid: ann });
  await as(ann, 'files/comments/add', { path: '/ROOT/HOME/Documents/Shopping.md', comment: 'Jars are in the cellar.' });
}

function print(port, { clientId, clientSecret }, panel) {
  const address = `https://localhost:${port}`;
  const lines = [
    'A household to try things on. It is gone when this stops (Ctrl+C).',
    '',
    `Panel:     ${panel}`,
    `Files:     ${address}/files/   as ann, mia, ben or gran`,
    `Password:  ${PASSWORD}`,
    `Folder:    ${folder}`,
    '',
    'To paste:',
    '',
    `ca=${folder}/.larder/tls/ca.crt`,
    `token=$(curl --silent --cacert $ca ${address}/oauth2/token/ --data grant_type=password --data username=ann \\`,
    `  --data-urlencode 'password=${PASSWORD}' --data-urlencode 'scope=list download upload' \\`,
    `  --data client_id=${clientId} --data client_secret=${clientSecret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl --silent --cacert $ca --header "Authorization: Bearer $token" \\`,
    `  '${address}/api.php/files/browse/?path=/ROOT/HOME/Documents'`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
