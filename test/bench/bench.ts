// `npm run bench`: works of a household, each measured beside its yardsticks in the same run. Ends with 1 when a target is
// missed or a work has failed, and with 2 when the command line is wrong.
import { readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { newTransfer } from './clients/transfer.ts';
import { type Options, parseOptions, USAGE, UsageProblem } from './options.ts';
import { type Machine, machineLine, markdownTable, replaceBetweenMarkers } from './report.ts';
import { exitCodeOf, type Row } from './rows.ts';
import { runWorks } from './run.ts';
import { Scratch } from './scratch.ts';
import { FULL, QUICK } from './sizes.ts';
import type { Work } from './work.ts';
import { catalogue } from './works/catalogue.ts';
import { download, upload } from './works/large-files.ts';
import { listings } from './works/listings.ts';
import { memory } from './works/memory.ts';
import { pages } from './works/pages.ts';
import { photoMonths } from './works/photo-months.ts';
import { searchTags } from './works/search-tags.ts';
import { smallUploads } from './works/small-uploads.ts';
import { start } from './works/start.ts';
import { thumbnails } from './works/thumbnails.ts';
import { recursive, tree } from './works/tree.ts';
import { webdav } from './works/webdav.ts';
import { findNginx } from './yardsticks/nginx.ts';

const WORKS: readonly Work[] = [
  download,
  upload,
  smallUploads,
  listings,
  pages,
  photoMonths,
  start,
  memory,
  tree,
  recursive,
  searchTags,
  catalogue,
  thumbnails,
  webdav,
];
const PAGE = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url));

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const names = WORKS.map(({ name }) => name);
  const options = parseOptions(process.argv.slice(2), names);
  const works = WORKS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const scratch = new Scratch(options.folder);
  const nginx = findNginx();
  if (nginx === null) say('nginx with TLS and DAV is not installed: bare Node is the yardstick instead.');
  const bench = {
    scratch,
    sizes: options.quick ? QUICK : FULL,
    runs: options.runs,
    nginx,
    transfer: newTransfer(scratch),
  };
  const rows = await runWorks(works, bench, say);
  publish(options, rows);
  return exitCodeOf(rows, !options.quick);
}

function publish(options: Options, rows: readonly Row[]): void {
  const machine = thisMachine();
  const text = `${markdownTable(rows)}\n\n${machineLine(machine, options.runs)}`;
  process.stdout.write(`${text}\n`);
  if (options.quick) process.stdout.write('\nThese sizes are for trying: no target is meant for them.\n');
  if (options.json !== null) {
    const { runs, quick } = options;
    writeFileSync(options.json, `${JSON.stringify({ machine, runs, targetsCount: !quick, rows }, null, 2)}\n`);
  }
  if (options.writeDocs) writeFileSync(PAGE, replaceBetweenMarkers(readFileSync(PAGE, 'utf8'), text));
}

function thisMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? arch(),
    cores: processors.length,
    system: `${platform()} ${release()}`,
    node: process.versions.node,
    date: new Date().toISOString().slice(0, 10),
  };
}

main().then(
  // At once: whatever still runs ends with the scratch folder.
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof UsageProblem) say(`${error.message}\n${USAGE}`);
    else say(String(error instanceof Error ? error.stack : error));
    process.exit(error instanceof UsageProblem ? 2 : 1);
  },
);
