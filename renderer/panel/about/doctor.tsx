import { Button, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import form from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { Section } from '../../parts/section.tsx';
import styles from './about.module.css';
import { Findings } from './findings.tsx';

interface Examined {
  readonly report: Output<'doctor'>;
  /** ISO 8601. */
  readonly at: string;
}

/** The cache key of the last report. */
const KEPT = ['doctor.report'];
/** Most repairable problems that are listed. */
const MANY = 10;

/** Examines the installation, and repairs it without loss of data, after showing what will be repaired. */
export function Doctor({ about }: { readonly about: Output<'about.get'> }) {
  const queries = useQueryClient();
  const [last, setLast] = useState(() => queries.getQueryData<Examined>(KEPT) ?? null);
  const [isAsked, setAsked] = useState(false);
  const isCancelled = useRef(false);
  const say = useToast();
  const doctor = useControlChange('doctor', ['status', 'activity.list']);
  const repairable = last?.report.repairable ?? [];

  function examine(repair: boolean): void {
    setAsked(false);
    isCancelled.current = false;
    doctor.mutate(
      { repair },
      {
        onSuccess: (report) => {
          const examined = { report, at: new Date().toISOString() };
          queries.setQueryData(KEPT, examined);
          setLast(examined);
        },
        onError: () => {
          if (isCancelled.current) say(t('about.doctor.cancelled'));
        },
      },
    );
  }

  return (
    <Section title={t('about.doctor.title')} aside={last !== null && !doctor.isPending && <When examined={last} />}>
      <p className={styles.help}>{t('about.doctor.lead')}</p>
      <div className={styles.buttons}>
        <ActionButton variant="default" isBusy={doctor.isPending} onClick={() => examine(false)}>
          {last === null ? t('about.doctor.check') : t('about.doctor.again')}
        </ActionButton>
        {repairable.length > 0 && !doctor.isPending && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {t('about.doctor.repair')}
          </Button>
        )}
        {last !== null && <CopyButton text={inText(about, last)} word={t('about.doctor.copy')} />}
      </div>
      {doctor.isPending && (
        <Running
          onCancel={() => {
            isCancelled.current = true;
          }}
        />
      )}
      {!isCancelled.current && <RefusalNote error={doctor.error} />}
      {last !== null && !doctor.isPending && <Findings report={last.report} />}
      {isAsked && (
        <Dialog title={t('about.doctor.question')} onClose={() => setAsked(false)}>
          <p>{t('about.doctor.loses')}</p>
          <ul className={styles.findings}>
            {repairable.slice(0, MANY).map((text) => (
              <li key={text}>{text}</li>
            ))}
            {repairable.length > MANY && <li>{t('about.doctor.more', { count: repairable.length - MANY })}</li>}
          </ul>
          <div className={form.buttons}>
            <Button variant="default" data-autofocus onClick={() => setAsked(false)}>
              {t('about.doctor.keep')}
            </Button>
            <Button onClick={() => examine(true)}>{t('about.doctor.do')}</Button>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

function When({ examined: { report, at } }: { readonly examined: Examined }) {
  return (
    <>
      {report.repaired === undefined ? t('about.doctor.at') : t('about.doctor.repairedAt')} <EmbeddedDate at={at} />
    </>
  );
}

/** @param onCancel called before the examination is cancelled */
function Running({ onCancel }: { readonly onCancel: () => void }) {
  const cancel = useControlChange('doctor.cancel', []);
  const { data } = useControl('doctor.progress', {}, { every: 400 });
  const { isRunning = false, check = '', done = 0, total = 1 } = data ?? {};
  const said = isRunning ? t('about.doctor.running', { check, done, total }) : t('about.doctor.starting');
  return (
    <div className={styles.running}>
      <p role="status">{said}</p>
      <Progress value={isRunning ? (100 * done) / total : 0} aria-label={t('about.doctor.title')} />
      <p className={styles.help}>{t('about.doctor.long')}</p>
      <RefusalNote error={cancel.error} />
      <div className={styles.buttons}>
        <ActionButton
          variant="default"
          isBusy={cancel.isPending}
          onClick={() => {
            onCancel();
            cancel.mutate({});
          }}
        >
          {t('about.doctor.cancel')}
        </ActionButton>
      </div>
    </div>
  );
}

/** A report for support. The window limits the length of the clipboard. */
function inText(about: Output<'about.get'>, { report, at }: Examined): string {
  const { version, node, sqlite, electron, system } = about;
  const shell = electron === null ? [] : [t('about.report.electron', { version: electron })];
  const line = (word: string, of: readonly string[]) => of.map((text) => `${word.padEnd(9)}${text}`);
  return [
    [
      t('about.report.product', { version }),
      t('about.report.node', { version: node }),
      t('about.report.sqlite', { version: sqlite }),
      ...[...shell, system, at],
    ].join(', '),
    ...line(t('about.doctor.severity.repaired'), report.repaired ?? []),
    ...line(t('about.doctor.severity.problem'), report.problems),
    ...line(t('about.doctor.severity.note'), report.notes),
    ...(report.ok ? [t('about.doctor.well')] : []),
  ]
    .join('\n')
    .slice(0, 10_000);
}
