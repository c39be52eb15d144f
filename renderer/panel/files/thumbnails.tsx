import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import form from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { size } from '../../sizes.ts';

/** The space of thumbnails. They can be generated again, so deleting them needs no confirmation. */
export function Thumbnails() {
  const say = useToast();
  const kept = useControl('thumbnails.get', {});
  const clear = useControlChange('thumbnails.clear', ['thumbnails.get']);
  return (
    <>
      <div className={form.entry}>
        <span className={form.inside}>
          {kept.data === undefined
            ? ''
            : t('files.thumbnails.now', { files: kept.data.files, amount: size(kept.data.bytes) })}
        </span>
        <ActionButton
          variant="default"
          size="xs"
          isBusy={clear.isPending}
          onClick={() =>
            clear.mutate({}, { onSuccess: ({ bytes }) => say(t('files.thumbnails.cleared', { amount: size(bytes) })) })
          }
        >
          {t('files.thumbnails.clear')}
        </ActionButton>
      </div>
      <RefusalNote error={clear.error} />
    </>
  );
}
