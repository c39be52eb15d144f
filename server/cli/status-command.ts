import type { Output } from '../control/contract/contract.ts';
import { type CliContext, ExitCode, show } from './context.ts';
import { openControl } from './control-client.ts';

/** `larder status` */
export async function statusCommand(context: CliContext): Promise<number> {
  const control = await openControl(context.config);
  try {
    const status = await control.invoke('status', {});
    show(context, status, () => statusText(status));
    return ExitCode.ok;
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
