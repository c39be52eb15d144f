import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TRIED_FILE_BYTES } from '../../../server/control/contract/try-operation.ts';
import { settled } from '../../../server/lib/async/settled.ts';
import { useControl, useControlChange, useTransport } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { CopyButton } from '../../parts/buttons/copy-button.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import form from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { terminalOf } from '../../parts/trust/terminal-lines.ts';
import { type Person, PersonField } from '../people/person-field.tsx';
import { AnswerView } from './answer-view.tsx';
import type { CallForm, Operation } from './description.ts';
import { FileField, inBase64 } from './file-field.tsx';
import { ParameterField } from './parameter-field.tsx';
import styles from './reference.module.css';
import { curlOf, losesSomething, pairsOf, type Values } from './request.ts';

/** For an operation without required parameters: how many are always shown. */
const MAX_USUAL = 2;
/** The owner's account, which always has this id. */
const OWNER_ID = 1;
/** Optional parameters that are shown at first. */
const FEW = 6;

interface ConsoleProps {
  readonly operation: Operation;
  readonly callForm: CallForm;
  readonly apiPath: string;
}

/** Runs the operation as one of the accounts. The input stays, whatever the result. */
export function Console(props: ConsoleProps) {
  const owner = useControl('accounts.get', { id: OWNER_ID });
  return owner.data === undefined ? null : <Form {...props} owner={owner.data} />;
}

function Form({ operation: { path }, callForm, apiPath, owner }: ConsoleProps & { readonly owner: Person }) {
  const [person, setPerson] = useState<Person | null>({ id: owner.id, username: owner.username });
  const [values, setValues] = useState<Values>({});
  const [file, setFile] = useState<File | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { attempt, run, cancel } = useAttempt();
  const status = useControl('status', {});
  const terminal = status.data === undefined ? null : terminalOf(status.data, window.location);
  const { method, parameters } = callForm;
  const pairs = pairsOf(parameters, values);
  const takesFile = parameters.some(({ kind }) => kind === 'file');
  const isTooLarge = file !== null && file.size > TRIED_FILE_BYTES;
  const fileName = takesFile ? (file?.name ?? '') : '';
  // The address contains the prefix of the installation already.
  const below = `${apiPath.slice(apiPath.lastIndexOf('/'))}/${path}`;
  const line = terminal === null ? '' : curlOf({ terminal, path: below, method, callForm, pairs, fileName });

  async function start(): Promise<void> {
    setAsked(false);
    if (person === null) return;
    const sent = takesFile && file !== null ? { file: { name: file.name, base64: await inBase64(file) } } : {};
    run({ accountId: person.id, operation: path, method, parameters: pairs, ...sent });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    setMissing(person === null);
    if (person === null || isTooLarge || attempt.isPending) return;
    if (losesSomething(path)) setAsked(true);
    else void start();
  }

  const fields = parameters.filter(({ kind }) => kind !== 'file');
  const required = fields.filter(({ isRequired, isUsual }) => isRequired || isUsual);
  const optional = fields.filter((one) => !required.includes(one));
  // The description lists the most important ones first.
  const most = required.length > 0 ? 0 : MAX_USUAL;
  const usual = optional.length <= FEW ? optional : optional.slice(0, most);
  const others = optional.slice(usual.length);
  const field = (parameter: (typeof fields)[number]) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={values[parameter.name] ?? ''}
      onChange={(value) => setValues((before) => ({ ...before, [parameter.name]: value }))}
    />
  );
  return (
    <>
      {terminal !== null && (
        <section>
          <div className={form.head}>
            <h3>{t('reference.curl.title')}</h3>
            <CopyButton text={line} word={t('reference.curl.copy')} size="xs" />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard */}
          <pre className={form.line} tabIndex={0}>
            {line}
          </pre>
          <p className={styles.help}>{t('reference.curl.token')}</p>
        </section>
      )}
      <section className={styles.console}>
        <h3>{t('reference.console.title')}</h3>
        <p className={styles.help}>{t('reference.console.real')}</p>
        <form className={form.form} onSubmit={submit} noValidate>
          <PersonField
            label={t('reference.console.person')}
            description={t('reference.console.personHelp')}
            chosen={person}
            error={isMissing ? t('reference.console.noPerson') : null}
            onChoose={setPerson}
          />
          {required.map(field)}
          {usual.map(field)}
          {others.length > 0 && (
            <details>
              <summary>{t('reference.console.optional', { count: others.length })}</summary>
              <div className={form.form}>{others.map(field)}</div>
            </details>
          )}
          {takesFile && (
            <FileField error={isTooLarge ? t('reference.console.fileTooLarge') : null} onChoose={setFile} />
          )}
          <div className={styles.buttons}>
            <ActionButton isBusy={attempt.isPending}>{t('reference.console.try')}</ActionButton>
            {attempt.isPending && (
              <Button variant="default" onClick={cancel}>
                {t('reference.console.cancel')}
              </Button>
            )}
          </div>
        </form>
        <RefusalNote error={attempt.error} />
        {attempt.data !== undefined && !attempt.isPending && <AnswerView answer={attempt.data} />}
      </section>
      {isAsked && person !== null && (
        <Confirm
          title={t('reference.console.confirm', { path, name: person.username })}
          loss={t('reference.console.confirmLoss')}
          label={t('reference.console.confirmDo')}
          keep={t('reference.console.keep')}
          change={{ isPending: false, error: null }}
          onDo={() => void start()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

type Attempt = Omit<Parameters<ReturnType<typeof useTry>['mutate']>[0], 'id'>;

const useTry = () => useControlChange('api.try', ['activity.list']);

/** One call at a time, which can be cancelled. */
function useAttempt() {
  const transport = useTransport();
  const attempt = useTry();
  const [id, setId] = useState('');
  return {
    attempt,
    run: (input: Attempt) => {
      const next = crypto.randomUUID();
      setId(next);
      attempt.mutate({ id: next, ...input });
    },
    // The call itself reports how it ended.
    cancel: () => void settled(transport.invoke('api.cancel', { id })),
  };
}
