import { Button, Progress } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Dialog } from '../../parts/dialogs/dialog.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import form from '../../parts/forms/form.module.css';
import { EmbeddedDate } from '../../parts/moment.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { Section } from '../../parts/section.tsx';
import { aboutTexts } from '../../texts/about.ts';
import { texts } from '../../texts/texts.ts';
import styles from './about.module.css';
import { Findings } from './findings.tsx';

const words = aboutTexts.doctor;

interface Examined {
  readonly report: Output<'doctor'>;
  /** ISO 8601. */
  readonly at: string;
}

/** Where the last report is kept while other pages are shown. */
const KEPT = ['doctor.report'];
/** Of what would be repaired, what is said one by one. */
const MANY = 10;

/** Looks at the installation, and mends what loses nothing once one has seen what that is. */
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
          if (isCancelled.current) say(words.cancelled);
        },
      },
    );
  }

  return (
    <Section title={words.title} aside={last !== null && !doctor.isPending && <When examined={last} />}>
      <p className={styles.help}>{words.lead}</p>
      <div className={styles.buttons}>
        <ActionButton variant="default" isBusy={doctor.isPending} onClick={() => examine(false)}>
          {last === null ? words.check : words.again}
        </ActionButton>
        {repairable.length > 0 && !doctor.isPending && (
          <Button variant="default" onClick={() => setAsked(true)}>
            {words.repair}
          </Button>
        )}
        {last !== null && <CopyButton text={inText(about, last)} word={words.copy} />}
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
        <Dialog title={words.question} onClose={() => setAsked(false)}>
          <p>{words.loses}</p>
          <ul className={styles.findings}>
            {repairable.slice(0, MANY).map((text) => (
              <li key={text}>{text}</li>
            ))}
            {repairable.length > MANY && <li>{words.more(repairable.length - MANY)}</li>}
          </ul>
          <div className={form.buttons}>
            <Button variant="default" data-autofocus onClick={() => setAsked(false)}>
              {words.keep}
            </Button>
            <Button onClick={() => examine(true)}>{words.do}</Button>
          </div>
        </Dialog>
      )}
    </Section>
  );
}

function When({ examined: { report, at } }: { readonly examined: Examined }) {
  return (
    <>
      {report.repaired === undefined ? words.at : words.repairedAt} <EmbeddedDate at={at} />
    </>
  );
}

/** @param onCancel called before it is told to end */
function Running({ onCancel }: { readonly onCancel: () => void }) {
  const cancel = useControlChange('doctor.cancel', []);
  const { data } = useControl('doctor.progress', {}, { every: 400 });
  const { isRunning = false, check = '', done = 0, total = 1 } = data ?? {};
  const said = isRunning ? words.running(check, done, total) : words.starting;
  return (
    <div className={styles.running}>
      <p role="status">{said}</p>
      <Progress value={isRunning ? (100 * done) / total : 0} aria-label={words.title} />
      <p className={styles.help}>{words.long}</p>
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
          {words.cancel}
        </ActionButton>
      </div>
    </div>
  );
}

/** For support. What a clipboard takes in the window is limited. */
function inText(about: Output<'about.get'>, { report, at }: Examined): string {
  const { version, node, sqlite, electron, system } = about;
  const shell = electron === null ? [] : [`Electron ${electron}`];
  const line = (word: string, of: readonly string[]) => of.map((text) => `${word.padEnd(9)}${text}`);
  return [
    [`${texts.product} ${version}`, `Node ${node}`, `SQLite ${sqlite}`, ...shell, system, at].join(', '),
    ...line(words.words.repaired, report.repaired ?? []),
    ...line(words.words.problem, report.problems),
    ...line(words.words.note, report.notes),
    ...(report.ok ? [`${words.well}.`] : []),
  ]
    .join('\n')
    .slice(0, 10_000);
}
