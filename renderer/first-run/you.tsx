import { Button, PasswordInput, TextInput } from '@mantine/core';
import { IconAlertCircle, IconEye, IconEyeOff } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { useControlChange } from '../control/control.tsx';
import { useDesktop } from '../control/desktop.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { Note, reasonOf } from '../parts/note.tsx';
import { SwitchRow } from '../parts/switch-row.tsx';
import { texts } from '../texts/texts.ts';
import { Refusal } from '../transport/transport.ts';
import { FirstRunFoot, FirstRunFrame } from './first-run-frame.tsx';
import styles from './you.module.css';

const words = texts.you;
const FIELDS = ['name', 'owner', 'password', 'repeat', 'homeFolder', 'householdName'] as const;
/** Those that can be left out. */
const OPTIONAL: readonly string[] = ['householdName', 'homeFolder'];
type Field = (typeof FIELDS)[number];
type Problems = Partial<Record<Field, string>>;

const isField = (name: string | undefined): name is Field => FIELDS.some((field) => field === name);

function problemsOf(typed: Readonly<Record<Field, string>>): Problems {
  const missing = FIELDS.filter((field) => !OPTIONAL.includes(field) && typed[field].trim() === '').map((field) => [
    field,
    words.needed[field as keyof typeof words.needed],
  ]);
  const differ = typed.repeat !== '' && typed.password !== typed.repeat;
  return { ...Object.fromEntries(missing), ...(differ ? { repeat: words.differ } : {}) };
}

/** First run: the account of whoever looks after it. @param onDone told when it is made */
export function You({ onDone }: { readonly onDone: () => void }) {
  const [typed, setTyped] = useState<Record<Field, string>>({
    ...{ name: '', owner: '', password: '', repeat: '', homeFolder: '', householdName: '' },
  });
  const [hasFiles, setHasFiles] = useState(false);
  const desktop = useDesktop();
  const [enableApi, setEnableApi] = useState(true);
  const [isShown, setShown] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const setup = useControlChange('setup', []);
  const form = useRef<HTMLFormElement>(null);

  function complain(found: Problems): void {
    setProblems(found);
    const first = FIELDS.find((field) => found[field] !== undefined);
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (setup.isPending) return;
    const found = {
      ...problemsOf(typed),
      ...(hasFiles && typed.homeFolder.trim() === '' ? { homeFolder: words.needed.homeFolder } : {}),
    };
    setup.reset();
    complain(found);
    if (Object.keys(found).length > 0) return;
    const { name, owner, password, householdName, homeFolder } = typed;
    setup.mutate(
      {
        ...{ name, owner, password, enableApi },
        ...(householdName.trim() === '' ? {} : { householdName }),
        ...(hasFiles ? { homeFolder: homeFolder.trim() } : {}),
      },
      {
        onSuccess: onDone,
        onError: (error) => {
          const field = error instanceof Refusal ? error.failure.field : undefined;
          if (isField(field)) complain({ [field]: error.message });
        },
      },
    );
  }

  const fieldOf = (field: Field) => ({
    name: field,
    value: typed[field],
    required: !OPTIONAL.includes(field),
    error: problems[field] === undefined ? null : <Problem text={problems[field]} />,
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setTyped((others) => ({ ...others, [field]: value }));
      setProblems(({ [field]: _, ...others }) => others);
    },
  });
  const passwordOf = (field: 'password' | 'repeat') => ({
    ...fieldOf(field),
    // The library says so of its other fields by itself.
    'aria-invalid': problems[field] !== undefined,
    autoComplete: 'new-password',
    visible: isShown,
    onVisibilityChange: setShown,
    visibilityToggleIcon: Eye,
    visibilityToggleButtonProps: { 'aria-label': words.show },
  });

  const isOfField = setup.error instanceof Refusal && isField(setup.error.failure.field);
  const found = FIELDS.flatMap((field) => problems[field] ?? []);
  return (
    <FirstRunFrame step="you" heading={words.heading} lead={words.lead}>
      <form className={styles.form} ref={form} onSubmit={submit} noValidate>
        {setup.error !== null && !isOfField && (
          <Note tone="danger">
            {reasonOf(setup.error)} {words.kept}
          </Note>
        )}
        {found.length > 1 && <Note tone="danger">{found.join(' ')}</Note>}
        <TextInput label={words.name} description={words.nameHelp} autoComplete="name" autoFocus {...fieldOf('name')} />
        <TextInput
          label={words.username}
          description={words.usernameHelp}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          {...fieldOf('owner')}
        />
        <PasswordInput label={words.password} description={words.passwordHelp} {...passwordOf('password')} />
        <PasswordInput label={words.repeat} {...passwordOf('repeat')} />
        <TextInput
          label={words.household}
          description={words.householdHelp}
          autoComplete="off"
          {...fieldOf('householdName')}
        />
        <SwitchRow label={words.files} help={words.filesHelp} checked={hasFiles} onChange={setHasFiles} />
        {hasFiles && (
          <div className={styles.beside}>
            <TextInput
              label={words.homeFolder}
              description={words.homeFolderHelp}
              autoComplete="off"
              spellCheck={false}
              {...fieldOf('homeFolder')}
              required
            />
            {desktop !== null && (
              <Button
                variant="default"
                onClick={() =>
                  void desktop.invoke('desktop.chooseFolder', {}).then((look) => {
                    if (look !== null) setTyped((others) => ({ ...others, homeFolder: look.folder }));
                  })
                }
              >
                {words.chooseFolder}
              </Button>
            )}
          </div>
        )}
        <SwitchRow label={words.api} help={words.apiHelp} checked={enableApi} onChange={setEnableApi} />
        <FirstRunFoot>
          <ActionButton size="lg" isBusy={setup.isPending}>
            {words.submit}
          </ActionButton>
        </FirstRunFoot>
      </form>
    </FirstRunFrame>
  );
}

function Eye({ reveal }: { readonly reveal: boolean }) {
  return reveal ? <IconEyeOff size={18} stroke={1.75} /> : <IconEye size={18} stroke={1.75} />;
}

function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <span className={styles.problem}>
      <IconAlertCircle size={18} stroke={1.75} aria-hidden />
      {text}
    </span>
  );
}
