import { type FormEvent, useState } from 'react';
import { useControl, useControlChange } from '../../control/control.tsx';
import styles from '../../parts/form.module.css';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { SaveBar } from '../../parts/save-bar.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { SwitchRow } from '../../parts/switch-row.tsx';
import { apiTexts } from '../../texts/api.ts';
import { texts } from '../../texts/texts.ts';
import { ApiPage } from './api-page.tsx';

const words = apiTexts.settings;

interface Choice {
  readonly apiEnabled: boolean;
  readonly httpTesting: boolean;
}

/** Whether apps may come at all, and whether without HTTPS. */
export function ApiSettings() {
  const settings = useControl('settings.get', {});
  return (
    <ApiPage>
      {settings.error !== null && (
        <Note tone="danger" action={{ word: texts.tryAgain, run: () => settings.refetch() }}>
          {apiTexts.failed} {reasonOf(settings.error)}
        </Note>
      )}
      {settings.data === undefined ? (
        settings.error === null && <Skeletons widths={[500, 460]} />
      ) : (
        <Form saved={settings.data} />
      )}
    </ApiPage>
  );
}

function Form({ saved }: { readonly saved: Choice }) {
  const [changed, setChanged] = useState<Partial<Choice>>({});
  const update = useControlChange('settings.update', ['settings.get', 'status', 'activity.list']);
  const shown = { apiEnabled: saved.apiEnabled, httpTesting: saved.httpTesting, ...changed };
  const count = Number(shown.apiEnabled !== saved.apiEnabled) + Number(shown.httpTesting !== saved.httpTesting);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (update.isPending || count === 0) return;
    update.mutate(shown, { onSuccess: () => setChanged({}) });
  }

  return (
    <form className={styles.page} onSubmit={submit}>
      <div className={styles.rows}>
        <SwitchRow
          label={words.enable}
          help={words.enableHelp}
          checked={shown.apiEnabled}
          isChanged={shown.apiEnabled !== saved.apiEnabled}
          onChange={(apiEnabled) => setChanged({ ...changed, apiEnabled })}
        />
        <SwitchRow
          label={words.http}
          help={words.httpHelp}
          checked={shown.httpTesting}
          isChanged={shown.httpTesting !== saved.httpTesting}
          onChange={(httpTesting) => setChanged({ ...changed, httpTesting })}
        />
      </div>
      <RefusalNote error={update.error} />
      <SaveBar changes={count} effect={words.effect} isBusy={update.isPending} onDiscard={() => setChanged({})} />
    </form>
  );
}
