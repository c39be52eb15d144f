// `npm run screenshots`: walks the journeys of test/pages and joins the pictures of each in docs/design. Files of journeys as
// arguments limit it to these.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const JOURNEYS = ['test/pages/journeys.full.ts', 'test/pages/everyday-journeys.full.ts'];
const OUTPUT = join(ROOT, 'docs/design');
/** Steps in a row, and the width of each in pixels. */
const LAYOUT = { desktop: { columns: 2, width: 720 }, phone: { columns: 5, width: 288 } };
const GAP = 16;

const folder = await mkdtemp(join(tmpdir(), 'larder-journeys-'));
try {
  const env = { ...process.env, LARDER_TESTS: 'all', LARDER_PICTURES: folder };
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : JOURNEYS;
  const run = spawnSync('npx', ['vitest', 'run', ...chosen], { cwd: ROOT, env, stdio: 'inherit' });
  if (run.status !== 0) throw new Error('the journeys failed');
  await mkdir(OUTPUT, { recursive: true });
  const all = await pictures();
  for (const name of new Set(all.map((one) => one.name))) {
    const files = all.filter((one) => one.name === name);
    const steps = files.sort((a, b) => a.step - b.step).map(({ file }) => join(folder, file));
    await joinSteps(steps, LAYOUT[files[0].device], join(OUTPUT, `${name}.webp`));
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Their names are `journey-<journey>-<device>-<step>.png`. */
async function pictures() {
  return (await readdir(folder)).flatMap((file) => {
    const [, name, device, step] = /^journey-(.+-(desktop|phone))-(\d+)\.png$/.exec(file) ?? [];
    return name === undefined ? [] : [{ file, name, device, step: Number(step) }];
  });
}

async function joinSteps(steps, { columns, width }, path) {
  const shown = await Promise.all(
    steps.map((step) => sharp(step).resize({ width }).png().toBuffer({ resolveWithObject: true })),
  );
  const height = Math.max(...shown.map(({ info }) => info.height));
  const across = Math.min(columns, shown.length);
  const rows = Math.ceil(shown.length / across);
  await sharp({
    create: {
      width: across * (width + GAP) + GAP,
      height: rows * (height + GAP) + GAP,
      channels: 3,
      background: '#d9d7d0',
    },
  })
    .composite(
      shown.map(({ data }, at) => ({
        input: data,
        left: GAP + (at % across) * (width + GAP),
        top: GAP + Math.floor(at / across) * (height + GAP),
      })),
    )
    .webp({ quality: 80, effort: 6 })
    .toFile(path);
}
