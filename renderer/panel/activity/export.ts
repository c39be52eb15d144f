import type { Input, Output } from '../../../server/control/contract/contract.ts';
import type { Transport } from '../../transport/transport.ts';
import { plainSentence } from './entry.tsx';

type Entry = Output<'activity.list'>['entries'][number];

const COLUMNS = ['at', 'what', 'kind', 'group', 'person', 'app', 'channel', 'address', 'subject', 'details'] as const;
const PAGE = 500;

/**
 * All matching entries as CSV (RFC 4180), newest first.
 * @param tell called with the number of entries so far
 */
export async function exportActivity(
  transport: Transport,
  query: Input<'activity.list'>,
  tell: (count: number) => void,
): Promise<string> {
  const lines = [COLUMNS.join(',')];
  let before: number | null = null;
  do {
    const page: Output<'activity.list'> = await transport.invoke('activity.list', {
      ...query,
      limit: PAGE,
      ...(before === null ? {} : { before }),
    });
    for (const entry of page.entries) lines.push(lineOf(entry));
    tell(lines.length - 1);
    before = page.next;
  } while (before !== null);
  return `${lines.join('\r\n')}\r\n`;
}

function lineOf(entry: Entry): string {
  const details = Object.keys(entry.details).length === 0 ? '' : JSON.stringify(entry.details);
  const { at, kind, group, username, client, channel, address, subject } = entry;
  return [at, plainSentence(entry), kind, group, username ?? '', client ?? '', channel, address ?? '', subject, details]
    .map(cell)
    .join(',');
}

/** Texts that look like a formula are escaped, because anybody can choose file names. */
function cell(text: string): string {
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
