import { t } from '../../messages/messages.ts';
import { CopyIcon } from '../../parts/buttons/copy-button.tsx';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import styles from '../../parts/table.module.css';
import type { Client } from './client.ts';

interface ClientsTableProps {
  readonly clients: readonly Client[];
  readonly onPick: (kind: 'edit' | 'remove' | 'replace', client: Client) => void;
  readonly onSwitch: (client: Client) => void;
}

export function ClientsTable({ clients, onPick, onSwitch }: ClientsTableProps) {
  return (
    <>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('panelApi.clients.columns.app')}</th>
              <th scope="col" className={styles.wide}>
                {t('panelApi.clients.columns.id')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('panelApi.clients.columns.uris')}
              </th>
              <th scope="col" className={`${styles.number} ${styles.wide}`}>
                {t('panelApi.clients.columns.people')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('panelApi.clients.columns.used')}
              </th>
              <th scope="col">{t('panelApi.clients.columns.state')}</th>
              <th scope="col">
                <span className={styles.unseen}>{t('panelApi.clients.actions')}</span>
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
      <p className={styles.help}>{t('panelApi.clients.secretHelp')}</p>
    </>
  );
}

function Row({ client, onPick, onSwitch }: Omit<ClientsTableProps, 'clients'> & { readonly client: Client }) {
  const { name, clientId, publisher, enabled, redirectUris, people, lastUsedAt } = client;
  const kind = client.public ? t('panelApi.clients.kinds.public') : t('panelApi.clients.kinds.confidential');
  const [uri, ...others] = redirectUris;
  return (
    <tr>
      <th scope="row">
        <strong>{name}</strong>
        <span className={styles.below}>
          {publisher === '' ? kind : t('panelApi.clients.kindBy', { kind, publisher })}
        </span>
      </th>
      <td className={styles.wide}>
        <span className={styles.copied}>
          <code>{clientId}</code>
          <CopyIcon text={clientId} name={t('panelApi.clients.copyId', { name })} />
        </span>
      </td>
      <td className={styles.wide}>
        {uri === undefined ? <span className={styles.quiet}>{t('panelApi.clients.noUris')}</span> : <code>{uri}</code>}
        {others.length > 0 && (
          <span className={styles.below}>{t('panelApi.clients.moreUris', { more: others.length })}</span>
        )}
      </td>
      <td className={`${styles.number} ${styles.wide}`}>{people}</td>
      <td className={styles.wide}>
        {lastUsedAt === null ? (
          <span className={styles.quiet}>{t('panelApi.clients.never')}</span>
        ) : (
          <EmbeddedDate at={lastUsedAt} />
        )}
      </td>
      <td>
        <span className={styles.state}>
          <StatusDot tone={enabled ? 'good' : 'off'} />
          {enabled ? t('panelApi.clients.on') : t('panelApi.clients.off')}
        </span>
      </td>
      <td className={styles.end}>
        <RowMenu
          label={t('panelApi.clients.actionsOf', { name })}
          items={[
            { word: t('panelApi.clients.edit'), run: () => onPick('edit', client) },
            ...(client.public ? [] : [{ word: t('panelApi.clients.replace'), run: () => onPick('replace', client) }]),
            {
              word: enabled ? t('panelApi.clients.switchOff') : t('panelApi.clients.switchOn'),
              run: () => onSwitch(client),
            },
            { word: t('panelApi.clients.remove'), isDanger: true, run: () => onPick('remove', client) },
          ]}
        />
      </td>
    </tr>
  );
}
