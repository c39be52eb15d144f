import { isApplePhotos, planApplePhotos } from '../apple-photos/plan.ts';
import { isICloud, planICloud } from '../icloud/plan.ts';
import { placeExport, planTakeout } from '../takeout/plan.ts';
import { readSidecar } from '../takeout/sidecar.ts';
import type { ExportEntry } from './entries.ts';
import type { ExportPlan, ReadTexts, ReadXmp } from './plan.ts';

/**
 * What is to be stored of the archives of an import. Each is of the service that it looks like: several exports may be brought
 * together.
 * @param entries of all archives
 */
export async function planExport(
  entries: readonly ExportEntry[],
  readTexts: ReadTexts,
  readXmp: ReadXmp,
): Promise<ExportPlan> {
  const ofICloud = isICloud(entries);
  const ofMac = isApplePhotos(entries.filter((entry) => !ofICloud.has(entry.archive)));
  const plans: ExportPlan[] = [];
  const takeout = entries.filter((entry) => !ofICloud.has(entry.archive) && !ofMac.has(entry.archive));
  if (takeout.length > 0) {
    const placed = await placeExport(takeout);
    plans.push(await planTakeout(placed, await readTexts(placed.jsons, readSidecar)));
  }
  if (ofMac.size > 0) {
    const own = entries.filter((entry) => ofMac.has(entry.archive));
    plans.push(await planApplePhotos(own, readXmp));
  }
  if (ofICloud.size > 0) {
    const others = entries.filter((entry) => ofICloud.has(entry.archive));
    plans.push(await planICloud(others, readTexts));
  }
  return { files: plans.flatMap(({ files }) => files), notes: plans.flatMap(({ notes }) => notes) };
}
