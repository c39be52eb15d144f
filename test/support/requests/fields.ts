import type { Household } from '../households/household.ts';

/** A field defined by the owner, in a set of its own, for every file and folder. */
export interface NewField {
  readonly name?: string;
  readonly kind?: string;
  readonly options?: readonly string[];
}

/** @returns the id of the field */
export async function addField(
  household: Pick<Household, 'control'>,
  { name = 'Where it is', kind = 'text', options = [] }: NewField = {},
): Promise<number> {
  const { types } = (await household.control('metadata.list')) as { types: { id: number; name: string }[] };
  const every = types.find((type) => type.name === 'Everything')?.id;
  const { sets } = (await household.control('metadata.list')) as { sets: { id: number; name: string }[] };
  const set =
    sets.find((one) => one.name === 'Ours') ??
    ((await household.control('metadata.sets.add', { name: 'Ours', typeIds: [every] })) as { id: number });
  const added = await household.control('metadata.fields.add', { setId: set.id, name, kind, options });
  return (added as { id: number }).id;
}
