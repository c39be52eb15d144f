import { size } from '../../amounts.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import form from '../../parts/forms/form.module.css';
import { RefusalNote } from '../../parts/note.tsx';
import { filesTexts } from '../../texts/files.ts';

const words = filesTexts.thumbnails;

/** How much they take now. They can be made again, so nothing asks before they are deleted. */
export function Thumbnails() {
  const say = useToast();
  const kept = useControl('thumbnails.get', {});
  const clear = useControlChange('thumbnails.clear', ['thumbnails.get']);
  return (
    <>
      <div className={form.entry}>
        <span className={form.inside}>
          {kept.data === undefined ? '' : words.now(kept.data.files, size(kept.data.bytes))}
        </span>
        <ActionButton
          variant="default"
          size="xs"
          isBusy={clear.isPending}
          onClick={() => clear.mutate({}, { onSuccess: ({ bytes }) => say(words.cleared(size(bytes))) })}
        >
          {words.clear}
        </ActionButton>
      </div>
      <RefusalNote error={clear.error} />
    </>
  );
}
