import { scanBeforeOpening, whyNotOpened } from '../control/doctor/before-opening.ts';
import { emptyReport, type Report } from '../control/doctor/examine.ts';
import { t } from '../messages/messages.ts';
import { layoutOf } from '../storage/layout.ts';
import { type CliContext, ExitCode, show } from './context.ts';
import { openControl } from './control-client.ts';
import { type Fact, factLines } from './facts.ts';

/** `larder doctor [--repair]`: exit code 0 when there is no problem. */
export async function doctorCommand(context: CliContext): Promise<number> {
  const report = await diagnose(context, context.values.repair === true);
  show(context, report, () => reportText(report));
  return report.ok ? ExitCode.ok : ExitCode.unhealthy;
}

/**
 * Asks the running server, or opens the folder. Opening fixes some things and creates missing ones, so the folder is checked
 * before, and not opened at all if that would replace something that was lost.
 */
async function diagnose(context: CliContext, repair: boolean): Promise<Report> {
  const layout = layoutOf(context.config.folder);
  const { blocking, fixedByOpening } = await scanBeforeOpening(layout);
  const failed = emptyReport(repair);
  failed.problems.push(...blocking, ...fixedByOpening.map(({ before }) => before));
  if (blocking.length > 0) return failed;
  let control: Awaited<ReturnType<typeof openControl>>;
  try {
    control = await openControl(context);
  } catch (error) {
    failed.problems.push(...(await whyNotOpened(layout, error)));
    return failed;
  }
  try {
    const report = await control.invoke('doctor', { repair });
    // A running server has made this check itself.
    if (!control.isOpenedHere) return report;
    for (const { level, after } of fixedByOpening) {
      if (report.repaired !== undefined) report.repaired.push(after);
      else report[level === 'problem' ? 'problems' : 'notes'].push(after);
    }
    return { ...report, ok: report.problems.length === 0 };
  } catch (error) {
    failed.problems.push((error as Error).message);
    return failed;
  } finally {
    await control.close();
  }
}

function reportText({ problems, notes, repaired = [] }: Report): string {
  const facts: readonly Fact[] = [
    ...repaired.map((text): Fact => [t('cli.doctor.repaired'), text]),
    ...problems.map((text): Fact => [t('cli.doctor.problem'), text]),
    ...notes.map((text): Fact => [t('cli.doctor.note'), text]),
  ];
  return [...factLines(facts, 9), t('cli.doctor.found', { count: problems.length })].join('\n');
}
