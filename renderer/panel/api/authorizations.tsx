import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Empty, Loaded } from '../../parts/loaded.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import styles from '../../parts/table.module.css';
import { apiTexts } from '../../texts/api.ts';
import { ApiPage } from './api-page.tsx';

const words = apiTexts.authorizations;

type Authorization = Output<'authorizations.list'>['authorizations'][number];

/** Who allowed which app what, and the way to take it back. */
export function Authorizations() {
  const list = useControl('authorizations.list', {});
  const [revoking, setRevoking] = useState<Authorization | null>(null);
  return (
    <ApiPage>
      <Loaded query={list} widths={[600, 560, 580]}>
        {({ authorizations }) =>
          authorizations.length === 0 ? (
            <Empty title={words.empty} help={words.emptyHelp} />
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
  const { columns } = words;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.person}</th>
            <th scope="col">{columns.app}</th>
            <th scope="col" className={styles.wide}>
              {columns.may}
            </th>
            <th scope="col" className={styles.wide}>
              {columns.granted}
            </th>
            <th scope="col" className={styles.wide}>
              {columns.used}
            </th>
            <th scope="col">
              <span className={styles.unseen}>{words.revoke}</span>
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
                  <span className={styles.quiet}>{apiTexts.clients.never}</span>
                ) : (
                  <EmbeddedDate at={one.lastUsedAt} />
                )}
              </td>
              <td className={styles.end}>
                <Button
                  variant="default"
                  size="xs"
                  className={styles.danger ?? ''}
                  aria-label={words.revokeOf(one.client, one.username)}
                  onClick={() => onRevoke(one)}
                >
                  {words.revoke}
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
  const { confirm } = apiTexts;
  return (
    <Confirm
      title={confirm.revoke(client, username)}
      loss={confirm.revokeLoss}
      word={confirm.revokeDo}
      keep={confirm.keep(client)}
      change={revoke}
      onDo={() => revoke.mutate({ id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
