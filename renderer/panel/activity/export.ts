import type { Input, Output } from '../../../server/control/contract/contract.ts';
import type { Transport } from '../../transport/transport.ts';
import { plainSentence } from './entry.tsx';

type Entry = Output<'activity.list'>['entries'][number];

/** The name of a person is for people; the user name, which is unique, comes last, so that the other columns stay where they were. */
const COLUMNS = [
  ...(['at', 'what', 'kind', 'group', 'person', 'app', 'channel', 'address', 'subject', 'details'] as const),
  'username',
] as const;
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
  const nameOf = namesOf(transport);
  let before: number | null = null;
  do {
    const page: Output<'activity.list'> = await transport.invoke('activity.list', {
      ...query,
      limit: PAGE,
      ...(before === null ? {} : { before }),
    });
    const names = await Promise.all(page.entries.map(nameOf));
    lines.push(...page.entries.map((entry, index) => lineOf(entry, names[index] ?? '')));
    tell(lines.length - 1);
    before = page.next;
  } while (before !== null);
  return `${lines.join('\r\n')}\r\n`;
}

/** The names of people, each looked up once. Accounts that are gone have only the user name of the log. */
function namesOf(transport: Transport): (entry: Entry) => Promise<string> {
  const known = new Map<number, Promise<string | null>>();
  return async ({ accountId, username }) => {
    if (accountId === null) return username ?? '';
    const found =
      known.get(accountId) ??
      transport.invoke('accounts.face', { id: accountId }).then(
        ({ fullName }) => fullName,
        () => null,
      );
    known.set(accountId, found);
    return (await found) ?? username ?? '';
  };
}

function lineOf(entry: Entry, name: string): string {
  const details = Object.keys(entry.details).length === 0 ? '' : JSON.stringify(entry.details);
  const { at, kind, group, username, client, channel, address, subject } = entry;
  const what = plainSentence(entry, name);
  const from = [client ?? '', channel, address ?? ''];
  return [at, what, kind, group, name, ...from, subject, details, username ?? ''].map(cell).join(',');
}

/** Texts that look like a formula are escaped, because anybody can choose file names. */
function cell(text: string): string {
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
