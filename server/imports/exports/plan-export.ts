import { isApplePhotos, planApplePhotos } from '../apple-photos/plan.ts';
import { isICloud, planICloud } from '../icloud/plan.ts';
import { placeExport, planTakeout } from '../takeout/plan.ts';
import { readSidecar } from '../takeout/sidecar.ts';
import type { ExportEntry } from './entries.ts';
import { isPlainPhotos } from './plain-photos.ts';
import type { ExportPlan, PlanOptions, ReadTexts, ReadXmp } from './plan.ts';

/**
 * What is to be stored of the archives of an import. Each is of the service that it looks like: several exports may be brought
 * together.
 * @param entries of all archives
 */
export async function planExport(
  entries: readonly ExportEntry[],
  readTexts: ReadTexts,
  readXmp: ReadXmp,
  options: PlanOptions,
): Promise<ExportPlan> {
  const ofICloud = isICloud(entries);
  const unknown = entries.filter((entry) => !ofICloud.has(entry.archive));
  const ofMac = isApplePhotos(unknown);
  const plain = isPlainPhotos(unknown.filter((entry) => !ofMac.has(entry.archive)));
  const plans: ExportPlan[] = [];
  const takeout = unknown.filter(({ archive }) => !ofMac.has(archive) && !plain.has(archive));
  if (takeout.length > 0) {
    const placed = await placeExport(takeout);
    plans.push(await planTakeout(placed, await readTexts(placed.jsons, readSidecar)));
  }
  for (const archives of [ofMac, plain]) {
    const own = entries.filter((entry) => archives.has(entry.archive));
    if (own.length > 0) plans.push(await planApplePhotos(own, readXmp, options));
  }
  if (ofICloud.size > 0) {
    const others = entries.filter((entry) => ofICloud.has(entry.archive));
    plans.push(await planICloud(others, readTexts));
  }
  return { files: plans.flatMap(({ files }) => files), notes: plans.flatMap(({ notes }) => notes) };
}
