import { useControlChange } from '../../control/control.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { metadataTexts } from '../../texts/metadata.ts';
import { type Field, type FieldSet, STALE } from './definitions.ts';

interface RemoveSetProps {
  readonly set: FieldSet;
  readonly onClose: () => void;
}

/** Only when a set is gone is it known how much files had in it: that is said then. */
export function RemoveSet({ set, onClose }: RemoveSetProps) {
  const words = metadataTexts.sets;
  const remove = useControlChange('metadata.sets.remove', STALE);
  const say = useToast();
  return (
    <Confirm
      title={metadataTexts.removeTitle(set.name)}
      loss={words.loss(set.fields.length)}
      word={metadataTexts.remove}
      keep={metadataTexts.keep(set.name)}
      change={remove}
      onDo={() =>
        remove.mutate(
          { id: set.id },
          {
            onSuccess: ({ fields, values }) => {
              say(words.removed(set.name, fields, values));
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
  const words = metadataTexts.fields;
  const remove = useControlChange('metadata.fields.remove', STALE);
  const say = useToast();
  return (
    <Confirm
      title={metadataTexts.removeTitle(field.name)}
      loss={words.loss}
      word={metadataTexts.remove}
      keep={metadataTexts.keep(field.name)}
      change={remove}
      onDo={() =>
        remove.mutate(
          { id: field.id },
          {
            onSuccess: ({ values }) => {
              say(words.removed(field.name, values));
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
