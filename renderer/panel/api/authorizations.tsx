import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import styles from '../../parts/table.module.css';
import { ApiPage } from './api-page.tsx';

type Authorization = Output<'authorizations.list'>['authorizations'][number];

/** The authorizations of apps, which can be revoked. */
export function Authorizations() {
  const list = useControl('authorizations.list', {});
  const [revoking, setRevoking] = useState<Authorization | null>(null);
  return (
    <ApiPage>
      <Loaded query={list} widths={[600, 560, 580]}>
        {({ authorizations }) =>
          authorizations.length === 0 ? (
            <Empty title={t('panelApi.authorizations.empty')} help={t('panelApi.authorizations.emptyHelp')} />
          ) : (
            <List all={authorizations} onRevoke={setRevoking} />
          )
        }
      </Loaded>
      {revoking !== null && <Revoke authorization={revoking} onClose={() => setRevoking(null)} />}
    </ApiPage>
  );
}

interface ListProps {
  readonly all: readonly Authorization[];
  readonly onRevoke: (authorization: Authorization) => void;
}

function List({ all, onRevoke }: ListProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('panelApi.authorizations.columns.person')}</th>
            <th scope="col">{t('panelApi.authorizations.columns.app')}</th>
            <th scope="col" className={styles.wide}>
              {t('panelApi.authorizations.columns.may')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('panelApi.authorizations.columns.granted')}
            </th>
            <th scope="col" className={styles.wide}>
              {t('panelApi.authorizations.columns.used')}
            </th>
            <th scope="col">
              <span className={styles.unseen}>{t('panelApi.authorizations.revoke')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <strong>{one.username}</strong>
              </th>
              <td>{one.client}</td>
              <td className={styles.wide}>
                <code>{one.scopes.join(' ')}</code>
              </td>
              <td className={styles.wide}>
                <EmbeddedDate at={one.grantedAt} />
              </td>
              <td className={styles.wide}>
                {one.lastUsedAt === null ? (
                  <span className={styles.quiet}>{t('panelApi.clients.never')}</span>
                ) : (
                  <EmbeddedDate at={one.lastUsedAt} />
                )}
              </td>
              <td className={styles.end}>
                <Button
                  variant="default"
                  size="xs"
                  className={styles.danger ?? ''}
                  aria-label={t('panelApi.authorizations.revokeOf', { app: one.client, person: one.username })}
                  onClick={() => onRevoke(one)}
                >
                  {t('panelApi.authorizations.revoke')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Revoke({ authorization, onClose }: { readonly authorization: Authorization; readonly onClose: () => void }) {
  const revoke = useControlChange('authorizations.revoke', ['authorizations.list', 'clients.list', 'activity.list']);
  const { id, client, username } = authorization;
  return (
    <Confirm
      title={t('panelApi.confirm.revoke', { app: client, person: username })}
      loss={t('panelApi.confirm.revokeLoss')}
      label={t('panelApi.confirm.revokeDo')}
      keep={t('panelApi.confirm.keep', { name: client })}
      change={revoke}
      onDo={() => revoke.mutate({ id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
