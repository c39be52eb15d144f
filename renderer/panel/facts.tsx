import { Switch } from '@mantine/core';
import type { Output } from '../../server/control/contract/contract.ts';
import { useControlChange } from '../control/control.tsx';
import { day } from '../moments.ts';
import { RefusalNote } from '../parts/note.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import { texts } from '../texts/texts.ts';
import styles from './overview.module.css';

const words = texts.overview;

type Status = Output<'status'>;

/** Where Larder is reached, how long devices trust it, and whether apps may come. */
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

interface ApiProps {
  readonly isOn: boolean;
  readonly overHttp: boolean;
  readonly onChange: (isOn: boolean) => void;
}

function Api({ isOn, overHttp, onChange }: ApiProps) {
  return (
    <div className={styles.fact}>
      <dt>{words.api}</dt>
      <dd>
        <span className={styles.switch}>
          <span className={styles.on}>
            <StatusDot tone={isOn ? 'good' : 'off'} />
            {isOn ? words.on : words.off}
          </span>
          <Switch
            aria-label={words.enableApi}
            checked={isOn}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        </span>
        <span className={styles.below}>{overHttp ? words.apiOver.http : words.apiOver.https}</span>
      </dd>
    </div>
  );
}
