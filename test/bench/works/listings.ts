import { operationPath } from '../api.ts';
import { Load } from '../clients/load.ts';
import { writeFiles } from '../content.ts';
import { Larder } from '../larder.ts';
import type { Sizes } from '../sizes.ts';
import type { TargetName } from '../targets.ts';
import { alternate, type Work } from '../work.ts';
import { startBareNode } from '../yardsticks/bare-node.ts';

export const shortList = listing('list-10', 'shortList', ({ shortList: entries, shortListRequests: requests }) => ({
  entries,
  requests,
  connections: 8,
}));

/** One connection: how long a person waits for a long list. */
export const longList = listing('list-10000', 'longList', ({ longList: entries, longListRequests: requests }) => ({
  entries,
  requests,
  connections: 1,
}));

interface Plan {
  readonly entries: number;
  /** In a run. */
  readonly requests: number;
  readonly connections: number;
}

function listing(name: string, target: TargetName, plan: (sizes: Sizes) => Plan): Work {
  return {
    name,
    targets: [target],
    async run({ scratch, sizes, runs }, report) {
      const { entries, requests, connections } = plan(sizes);
      const larder = await Larder.open(scratch);
      const bare = await startBareNode(scratch, larder.home, larder.certificate);
      const load = new Load(scratch);
      const folder = larder.newFolder('Photos');
      writeFiles(folder.real, entries);
      const query = { path: folder.path, itemType: 'any', 'details[]': ['fileSize', 'mdate'] };
      await checkListing(larder, query, entries);
      const job = { ca: larder.authority, connections, count: requests, method: 'GET', body: 0 };
      const samples = await alternate(runs, {
        larder: () =>
          load.run({
            ...job,
            port: larder.port,
            path: operationPath('files/browse/', query),
            headers: { authorization: `Bearer ${larder.api.token}` },
          }),
        bare: () => load.run({ ...job, port: bare.port, path: '/Photos/', headers: {} }),
      });
      const yardsticks = [{ name: bare.name, samples: samples.bare }];
      report(target, { larder: samples.larder, yardsticks, ...load.note });
    },
  };
}

/** A listing that left something out would be fast. */
async function checkListing(
  larder: Larder,
  query: Parameters<Larder['api']['get']>[1],
  entries: number,
): Promise<void> {
  const { files } = await larder.api.get('files/browse/', query);
  const complete = Array.isArray(files)
    ? files.filter(({ fileSize, mdate }) => fileSize > 0 && mdate !== undefined)
    : [];
  if (complete.length !== entries) throw new Error(`${complete.length} entries instead of ${entries} are listed`);
}
