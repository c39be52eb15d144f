import type { Output } from '../control/contract/contract.ts';
import { larderCommand } from '../lib/process/larder-command.ts';
import { type CliContext, ExitCode, show } from './context.ts';
import { openControl } from './control-client.ts';

/** `larder status` */
export async function statusCommand(context: CliContext): Promise<number> {
  const control = await openControl(context);
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
    `Certificate  until ${status.certificateEnds}`,
    `Authority fingerprint, SHA-256: ${status.authorityFingerprint}`,
    `API          ${status.apiEnabled ? 'on' : 'off'}`,
    ...(status.catalogue.length === 0
      ? []
      : [
          `Catalogue    ${catalogueText(status.catalogue)}`,
          `Words        of ${countsText(status.texts, 'documents can be searched')}`,
          `Metadata     of ${countsText(status.embedded, 'files has been read')}`,
        ]),
    ...(status.hasOwner ? [] : [`Owner        none yet: ${larderCommand()} setup, or the set-up page`]),
    ...status.attention.map((text) => `Attention    ${text}`),
  ].join('\n');
}

function catalogueText(homes: Output<'status'>['catalogue']): string {
  const count = (state: (typeof homes)[number]['state']) => homes.filter((home) => home.state === state);
  const items = homes.reduce((sum, home) => sum + home.items, 0);
  const text = [
    ...(count('reading').length > 0 ? ['what changed is being read'] : []),
    ...(count('checking').length > 0 ? ['every file is being compared'] : []),
    ...(count('offline').length > 0 ? [`${count('offline').length} of ${homes.length} homes offline`] : []),
  ].join(', ');
  return `${text === '' ? 'up to date' : text}; ${items} files and folders`;
}

function countsText({ indexed, waiting, failed }: Output<'status'>['texts'], what: string): string {
  const rest = [...(waiting > 0 ? [`${waiting} to be read`] : []), ...(failed > 0 ? [`${failed} cannot be read`] : [])];
  return [`${indexed} ${what}`, ...rest].join(', ');
}
