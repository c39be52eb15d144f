import { CopyIcon } from '../../parts/buttons/copy-button.tsx';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import styles from '../../parts/table.module.css';
import { apiTexts } from '../../texts/api.ts';
import type { Client } from './client.ts';

const words = apiTexts.clients;

interface ClientsTableProps {
  readonly clients: readonly Client[];
  readonly onPick: (kind: 'edit' | 'remove' | 'replace', client: Client) => void;
  readonly onSwitch: (client: Client) => void;
}

export function ClientsTable({ clients, onPick, onSwitch }: ClientsTableProps) {
  const { columns } = words;
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{columns.app}</th>
              <th scope="col" className={styles.wide}>
                {columns.id}
              </th>
              <th scope="col" className={styles.wide}>
                {columns.uris}
              </th>
              <th scope="col" className={`${styles.number} ${styles.wide}`}>
                {columns.people}
              </th>
              <th scope="col" className={styles.wide}>
                {columns.used}
              </th>
              <th scope="col">{columns.state}</th>
              <th scope="col">
                <span className={styles.unseen}>{words.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {clients.map((client) => (
              <Row key={client.clientId} client={client} onPick={onPick} onSwitch={onSwitch} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.help}>{words.secretHelp}</p>
    </>
  );
}

function Row({ client, onPick, onSwitch }: Omit<ClientsTableProps, 'clients'> & { readonly client: Client }) {
  const { name, clientId, publisher, enabled, redirectUris, people, lastUsedAt } = client;
  const kind = client.public ? words.kinds.public : words.kinds.confidential;
  const [uri, ...others] = redirectUris;
  return (
    <tr>
      <th scope="row">
        <strong>{name}</strong>
        <span className={styles.below}>{publisher === '' ? kind : words.kindBy(kind, publisher)}</span>
      </th>
      <td className={styles.wide}>
        <span className={styles.copied}>
          <code>{clientId}</code>
          <CopyIcon text={clientId} what={words.idOf(name)} />
        </span>
      </td>
      <td className={styles.wide}>
        {uri === undefined ? <span className={styles.quiet}>{words.noUris}</span> : <code>{uri}</code>}
        {others.length > 0 && <span className={styles.below}>{words.moreUris(others.length)}</span>}
      </td>
      <td className={`${styles.number} ${styles.wide}`}>{people}</td>
      <td className={styles.wide}>
        {lastUsedAt === null ? <span className={styles.quiet}>{words.never}</span> : <EmbeddedDate at={lastUsedAt} />}
      </td>
      <td>
        <span className={styles.state}>
          <StatusDot tone={enabled ? 'good' : 'off'} />
          {enabled ? words.on : words.off}
        </span>
      </td>
      <td className={styles.end}>
        <RowMenu
          label={words.actionsOf(name)}
          items={[
            { word: words.edit, run: () => onPick('edit', client) },
            ...(client.public ? [] : [{ word: words.replace, run: () => onPick('replace', client) }]),
            { word: enabled ? words.switchOff : words.switchOn, run: () => onSwitch(client) },
            { word: words.remove, isDanger: true, run: () => onPick('remove', client) },
          ]}
        />
      </td>
    </tr>
  );
}
