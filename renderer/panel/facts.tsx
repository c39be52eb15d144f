import { Anchor, Switch } from '@mantine/core';
import type { Output } from '../../server/control/contract/contract.ts';
import { useControlChange } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { RefusalNote } from '../parts/note.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import { day } from '../relative-time.ts';
import styles from './overview.module.css';

type Status = Output<'status'>;

/** The addresses, the expiry of the certificate, and whether apps are allowed. */
export function Facts({ status }: { readonly status: Status }) {
  const update = useControlChange('settings.update', ['status', 'settings.get', 'activity.list']);
  const isOn = update.isPending ? (update.variables.apiEnabled ?? status.apiEnabled) : status.apiEnabled;
  return (
    <>
      <dl className={styles.facts}>
        <Address addresses={status.addresses} />
        <Certificate ends={new Date(status.certificateEnds)} source={status.certificateSource} />
        <Api isOn={isOn} overHttp={status.httpTesting} onChange={(apiEnabled) => update.mutate({ apiEnabled })} />
      </dl>
      <RefusalNote error={update.error} />
    </>
  );
}

function Address({ addresses: [first, ...others] }: { readonly addresses: Status['addresses'] }) {
  const names = others.map((address) => address.replace('https://', ''));
  return (
    <div className={styles.fact}>
      <dt>{t('overview.address')}</dt>
      <dd>
        {first === undefined ? (
          <span className={styles.value}>{t('overview.noAddress')}</span>
        ) : (
          <Anchor href={first} target="_blank" rel="noopener">
            <code>{first}</code>
          </Anchor>
        )}
        <span className={styles.below}>{names.length === 0 ? t('overview.onlyAddress') : namesOf(names)}</span>
      </dd>
    </div>
  );
}

function Certificate({ ends, source }: { readonly ends: Date; readonly source: Status['certificateSource'] }) {
  const isOver = ends.getTime() <= Date.now();
  return (
    <div className={styles.fact}>
      <dt>{t('overview.certificate')}</dt>
      <dd>
        <span className={styles.value}>
          {isOver ? t('overview.certificateEnded', { day: day(ends) }) : t('overview.validUntil', { day: day(ends) })}
        </span>
        <span className={styles.below}>{t(`overview.renews.${source}`)}</span>
      </dd>
    </div>
  );
}

function namesOf(names: readonly string[]): string {
  const [first = '', second = ''] = names;
  return t('overview.more', { count: names.length, first, second, others: names.length - 1 });
}

interface ApiProps {
  readonly isOn: boolean;
  readonly overHttp: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Api({ isOn, overHttp, onChange }: ApiProps) {
  return (
    <div className={styles.fact}>
      <dt>{t('overview.api')}</dt>
      <dd>
        <span className={styles.switch}>
          <span className={styles.on}>
            <StatusDot tone={isOn ? 'good' : 'off'} />
            {isOn ? t('overview.on') : t('overview.off')}
          </span>
          <Switch
            aria-label={t('overview.enableApi')}
            checked={isOn}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        </span>
        <span className={styles.below}>{overHttp ? t('overview.apiOver.http') : t('overview.apiOver.https')}</span>
      </dd>
    </div>
  );
}
