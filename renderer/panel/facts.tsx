import { Switch } from '@mantine/core';
import type { Output } from '../../server/control/contract/contract.ts';
import { useControlChange } from '../control/control.tsx';
import { day } from '../moments.ts';
import { RefusalNote } from '../parts/note.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import { texts } from '../texts.ts';
import styles from './overview.module.css';

const words = texts.overview;

type Status = Output<'status'>;

/** Where Larder is reached, how long devices trust it, and whether apps may come. */
export function Facts({ status }: { readonly status: Status }) {
  return (
    <dl className={styles.facts}>
      <Address addresses={status.addresses} />
      <Certificate ends={new Date(status.certificateEnds)} source={status.certificateSource} />
      <Api isOn={status.apiEnabled} overHttp={status.httpTesting} />
    </dl>
  );
}

function Address({ addresses: [first, ...others] }: { readonly addresses: Status['addresses'] }) {
  const names = others.map((address) => address.replace('https://', ''));
  return (
    <div className={styles.fact}>
      <dt>{words.address}</dt>
      <dd>
        {first === undefined ? <span className={styles.value}>{words.noAddress}</span> : <code>{first}</code>}
        <span className={styles.below}>{names.length === 0 ? words.onlyAddress : words.more(names)}</span>
      </dd>
    </div>
  );
}

function Certificate({ ends, source }: { readonly ends: Date; readonly source: Status['certificateSource'] }) {
  const isOver = ends.getTime() <= Date.now();
  return (
    <div className={styles.fact}>
      <dt>{words.certificate}</dt>
      <dd>
        <span className={styles.value}>{isOver ? words.certificateEnded(day(ends)) : words.validUntil(day(ends))}</span>
        <span className={styles.below}>{words.renews[source]}</span>
      </dd>
    </div>
  );
}

function Api({ isOn, overHttp }: { readonly isOn: boolean; readonly overHttp: boolean }) {
  const update = useControlChange('settings.update', ['status', 'settings.get', 'activity.list']);
  const shown = update.isPending ? (update.variables.apiEnabled ?? isOn) : isOn;
  return (
    <div className={styles.fact}>
      <dt>{words.api}</dt>
      <dd>
        <span className={styles.switch}>
          <span className={styles.on}>
            <StatusDot tone={shown ? 'good' : 'off'} />
            {shown ? words.on : words.off}
          </span>
          <Switch
            aria-label={words.enableApi}
            checked={shown}
            onChange={(event) => update.mutate({ apiEnabled: event.currentTarget.checked })}
          />
        </span>
        <span className={styles.below}>{overHttp ? words.apiOver.http : words.apiOver.https}</span>
        <RefusalNote error={update.error} />
      </dd>
    </div>
  );
}
