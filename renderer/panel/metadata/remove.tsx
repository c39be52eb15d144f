import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { type Field, type FieldSet, STALE } from './definitions.ts';

interface RemoveSetProps {
  readonly set: FieldSet;
  readonly onClose: () => void;
}

/** The number of removed values is known only afterwards, and shown then. */
export function RemoveSet({ set, onClose }: RemoveSetProps) {
  const remove = useControlChange('metadata.sets.remove', STALE);
  const say = useToast();
  return (
    <Confirm
      title={t('metadata.removeTitle', { name: set.name })}
      loss={t('metadata.sets.loss', { fields: set.fields.length })}
      label={t('metadata.remove')}
      keep={t('metadata.keep', { name: set.name })}
      change={remove}
      onDo={() =>
        remove.mutate(
          { id: set.id },
          {
            onSuccess: ({ fields, values }) => {
              say(t('metadata.sets.removed', { name: set.name, fields, values }));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}

interface RemoveFieldProps {
  readonly field: Field;
  readonly onClose: () => void;
}

export function RemoveField({ field, onClose }: RemoveFieldProps) {
  const remove = useControlChange('metadata.fields.remove', STALE);
  const say = useToast();
  return (
    <Confirm
      title={t('metadata.removeTitle', { name: field.name })}
      loss={t('metadata.fields.loss')}
      label={t('metadata.remove')}
      keep={t('metadata.keep', { name: field.name })}
      change={remove}
      onDo={() =>
        remove.mutate(
          { id: field.id },
          {
            onSuccess: ({ values }) => {
              say(t('metadata.fields.removed', { name: field.name, values }));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
