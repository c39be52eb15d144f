import { t } from '../../messages/messages.ts';
import { homeState } from '../../storage/inspect.ts';
import type { Output } from '../contract/contract.ts';
import { checkBackups } from './backups.ts';
import { checkCertificates } from './certificates.ts';
import { checkClock } from './clock.ts';
import { checkCounts } from './counts.ts';
import { checkDatabase } from './database.ts';
import { checkFiles } from './files.ts';
import { checkFolder } from './folder.ts';
import { checkHomes } from './homes.ts';
import { checkLeftovers } from './leftovers.ts';
import type { Check, DoctorParts, Finding } from './parts.ts';
import { checkPorts } from './ports.ts';
import { checkSpace } from './space.ts';
import { checkStored } from './stored.ts';

export type Report = Output<'doctor'>;

/** All checks of the doctor, in reporting order. The database comes first, because the others query it. */
const CHECKS: readonly (readonly [name: string, id: string, check: Check])[] = [
  ['database', 'database', checkDatabase],
  ['clock', 'clock', checkClock],
  ['folder', 'folder', checkFolder],
  ['homes', 'homes', checkHomes],
  ['older versions and the trash', 'stored', checkStored],
  // After checks that may add files to the homes.
  ['files', 'files', checkFiles],
  // After checks that bring rows in line with the disk.
  ['count of what is in the homes', 'counts', checkCounts],
  ['leftovers', 'leftovers', checkLeftovers],
  ['certificates', 'certificates', checkCertificates],
  ['ports', 'ports', checkPorts],
  ['backups', 'backups', checkBackups],
  ['free space', 'space', checkSpace],
];

/**
 * Checks an open installation. Changes nothing without `repair`, and then only what loses no data; a fixed problem is no longer
 * reported. A failing check is reported as a problem, and the others still run.
 * @throws the reason of the signal
 */
export async function examine(
  parts: DoctorParts,
  { repair }: { repair: boolean },
  onStep: (check: string, done: number, total: number) => void = () => undefined,
): Promise<Report> {
  const report = emptyReport(repair);
  let mayRepair = repair;
  const answering = { ...parts, homes: await answeringHomes(parts) };
  for (const [at, [name, id, check]] of CHECKS.entries()) {
    parts.signal.throwIfAborted();
    onStep(name, at, CHECKS.length);
    try {
      for (const finding of await check(check === checkHomes ? parts : answering))
        await take(report, finding, { mayRepair, signal: parts.signal });
    } catch (error) {
      parts.signal.throwIfAborted();
      report.problems.push(
        t('api.doctor.checkFailed', { check: id, reason: sentence(error), folder: parts.layout.logs }),
      );
    }
    // Nothing is repaired on the basis of damaged rows.
    if (check === checkDatabase && mayRepair && report.problems.length > 0) {
      mayRepair = false;
      report.notes.push(t('api.doctor.nothingRepaired'));
    }
  }
  report.ok = report.problems.length === 0;
  return report;
}

/** Leaves out homes whose disk does not respond, which is reported, because checks of them would hang. */
async function answeringHomes({ homes, disk }: DoctorParts): Promise<DoctorParts['homes']> {
  const all = await homes.all();
  const states = await Promise.all(all.map(({ homeRoot }) => homeState(disk, homeRoot)));
  const stalled = new Set(all.flatMap(({ id }, index) => (states[index] === 'stalled' ? [id] : [])));
  if (stalled.size === 0) return homes;
  return { ...homes, all: async () => (await homes.all()).filter(({ id }) => !stalled.has(id)) };
}

export function emptyReport(repair: boolean): Report & { repaired?: string[] } {
  return { ok: false, problems: [], notes: [], ...(repair ? { repaired: [] } : {}) };
}

async function take(
  report: Report,
  { level, text, repair }: Finding,
  { mayRepair, signal }: { readonly mayRepair: boolean; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const list = level === 'problem' ? report.problems : report.notes;
  if (!mayRepair || repair === undefined) {
    list.push(text);
    if (repair !== undefined && report.repaired === undefined) report.repairable = [...(report.repairable ?? []), text];
    return;
  }
  try {
    const done = await repair();
    report.repaired?.push(done);
  } catch (error) {
    signal.throwIfAborted();
    list.push(t('api.doctor.repairFailed', { problem: text, reason: sentence(error) }));
  }
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
