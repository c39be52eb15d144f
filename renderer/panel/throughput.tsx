import type { Output } from '../../server/control/contract/contract.ts';
import { useControl } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { Section } from '../parts/section.tsx';
import { size } from '../sizes.ts';
import styles from './throughput.module.css';

type Sample = Output<'traffic.get'>['samples'][number];

/** Samples of three minutes. */
const WIDE = 36;
const HIGH = 100;
/** The minimum scale of the chart in bytes per second, so that little traffic looks little. */
const LEAST = 100 * 1_024;

/** A live chart of traffic in both directions. */
export function Throughput() {
  const traffic = useControl('traffic.get', {});
  const samples = traffic.data?.samples ?? [];
  const last = samples.at(-1);
  const most = Math.max(LEAST, ...samples.flatMap((sample) => [sample.in, sample.out]));
  return (
    <Section title={t('overview.throughput.title')} aside={t('overview.throughput.span')}>
      <dl className={styles.now}>
        <div className={styles.out}>
          <dt>{t('overview.throughput.out')}</dt>
          <dd>{t('size.perSecond', { amount: size(last?.out ?? 0) })}</dd>
        </div>
        <div className={styles.in}>
          <dt>{t('overview.throughput.in')}</dt>
          <dd>{t('size.perSecond', { amount: size(last?.in ?? 0) })}</dd>
        </div>
      </dl>
      <div className={styles.chart}>
        <svg
          viewBox={`0 0 ${WIDE} ${HIGH}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('overview.throughput.label', { most: size(most) })}
        >
          {[0, HIGH / 2, HIGH].map((y) => (
            <line key={y} x1="0" x2={WIDE} y1={y} y2={y} className={styles.grid} />
          ))}
          <Line samples={samples} way="out" most={most} />
          <Line samples={samples} way="in" most={most} />
        </svg>
        <span className={styles.scale} aria-hidden>
          <span>{t('size.perSecond', { amount: size(most) })}</span>
          <span>0</span>
        </span>
      </div>
    </Section>
  );
}

interface LineProps {
  readonly samples: readonly Sample[];
  readonly way: 'in' | 'out';
  readonly most: number;
}

/** Newest on the right. */
function Line({ samples, way, most }: LineProps) {
  if (samples.length < 2) return null;
  const points = samples.map((sample, index) => {
    const x = WIDE - (samples.length - 1 - index);
    return `${x} ${(HIGH - (sample[way] / most) * HIGH).toFixed(2)}`;
  });
  const path = `M${points.join('L')}`;
  return (
    <g className={styles[way]}>
      <path d={`${path}V${HIGH}H${WIDE - samples.length + 1}Z`} className={styles.area} />
      <path d={path} className={styles.line} vectorEffect="non-scaling-stroke" />
    </g>
  );
}
