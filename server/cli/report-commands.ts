import type { Output } from '../control/contract/contract.ts';
import { type CliContext, ExitCode, show } from './context.ts';
import { openControl } from './control-client.ts';

/** `larder status` */
export async function statusCommand(context: CliContext): Promise<number> {
  const status = await ask(context, 'status');
  show(context, status, () => statusText(status));
  return ExitCode.ok;
}

/** `larder doctor`: exit code 0 when there is no problem. */
export async function doctorCommand(context: CliContext): Promise<number> {
  const report = await ask(context, 'doctor');
  show(context, report, () =>
    [
      ...report.problems.map((text) => `problem  ${text}`),
      ...report.notes.map((text) => `note     ${text}`),
      report.ok
        ? 'All is well.'
        : `${report.problems.length === 1 ? 'One problem' : `${report.problems.length} problems`} found.`,
    ].join('\n'),
  );
  return report.ok ? ExitCode.ok : ExitCode.unhealthy;
}

async function ask<Name extends 'status' | 'doctor'>(context: CliContext, method: Name): Promise<Output<Name>> {
  const control = await openControl(context.config);
  try {
    return (await control.call(method, {})) as Output<Name>;
  } finally {
    await control.close();
  }
}

function statusText(status: Output<'status'>): string {
  return [
    `Larder ${status.version} ${status.running ? 'is running' : 'is not running'}`,
    `Folder       ${status.folder}`,
    ...status.addresses.map((address) => `Address      ${address}`),
    ...status.httpAddresses.map((address) => `Plain HTTP   ${address}`),
    `Certificate  ${status.fingerprint}, until ${status.certificateEnds}`,
    `Authority    ${status.authorityFingerprint}`,
    `API          ${status.apiEnabled ? 'on' : 'off'}`,
    ...(status.hasOwner ? [] : ['Owner        none yet: larder setup, or the set-up page']),
    ...status.attention.map((text) => `Attention    ${text}`),
  ].join('\n');
}
