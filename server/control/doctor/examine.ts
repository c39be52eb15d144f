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

/** Everything the doctor looks at, in the order in which it is told. The database comes first: what follows asks it. */
const CHECKS: readonly (readonly [name: string, id: string, check: Check])[] = [
  ['database', 'database', checkDatabase],
  ['clock', 'clock', checkClock],
  ['folder', 'folder', checkFolder],
  ['homes', 'homes', checkHomes],
  ['older versions and the trash', 'stored', checkStored],
  // After what may put files into the homes.
  ['files', 'files', checkFiles],
  // After what brings rows in line with the disk.
  ['count of what is in the homes', 'counts', checkCounts],
  ['leftovers', 'leftovers', checkLeftovers],
  ['certificates', 'certificates', checkCertificates],
  ['ports', 'ports', checkPorts],
  ['backups', 'backups', checkBackups],
  ['free space', 'space', checkSpace],
];

/**
 * Looks at an open installation. Nothing is changed unless `repair` is said, and then only what loses nothing; what
 * was mended is no problem any more. A check that fails is a problem itself and keeps no other from its turn.
 * @throws the reason of the signal
 */
export async function examine(
  parts: DoctorParts,
  { repair }: { repair: boolean },
  onStep: (check: string, done: number, total: number) => void = () => undefined,
): Promise<Report> {
  const report = emptyReport(repair);
  let mayMend = repair;
  const answering = { ...parts, homes: await answeringHomes(parts) };
  for (const [at, [name, id, check]] of CHECKS.entries()) {
    parts.signal.throwIfAborted();
    onStep(name, at, CHECKS.length);
    try {
      for (const finding of await check(check === checkHomes ? parts : answering))
        await take(report, finding, { mayMend, signal: parts.signal });
    } catch (error) {
      parts.signal.throwIfAborted();
      report.problems.push(
        t('api.doctor.checkFailed', { check: id, reason: sentence(error), folder: parts.layout.logs }),
      );
    }
    // On rows that cannot be trusted nothing is built.
    if (check === checkDatabase && mayMend && report.problems.length > 0) {
      mayMend = false;
      report.notes.push(t('api.doctor.nothingRepaired'));
    }
  }
  report.ok = report.problems.length === 0;
  return report;
}

/** Without those whose disk does not answer, which is said of them: whoever looked at them would wait with it. */
async function answeringHomes({ homes, disk }: DoctorParts): Promise<DoctorParts['homes']> {
  const all = await homes.all();
  const states = await Promise.all(all.map(({ place }) => homeState(disk, place)));
  const stalled = new Set(all.flatMap(({ id }, index) => (states[index] === 'stalled' ? [id] : [])));
  if (stalled.size === 0) return homes;
  return { ...homes, all: async () => (await homes.all()).filter(({ id }) => !stalled.has(id)) };
}

export function emptyReport(repair: boolean): Report & { repaired?: string[] } {
  return { ok: false, problems: [], notes: [], ...(repair ? { repaired: [] } : {}) };
}

async function take(
  report: Report,
  { level, text, mend }: Finding,
  { mayMend, signal }: { readonly mayMend: boolean; readonly signal: AbortSignal },
): Promise<void> {
  signal.throwIfAborted();
  const list = level === 'problem' ? report.problems : report.notes;
  if (!mayMend || mend === undefined) {
    list.push(text);
    if (mend !== undefined && report.repaired === undefined) report.repairable = [...(report.repairable ?? []), text];
    return;
  }
  try {
    const done = await mend();
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
