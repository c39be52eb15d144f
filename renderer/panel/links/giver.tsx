import { usePerson } from '../activity/use-person.ts';

/** Who created a link or share. */
export function Giver({ by }: { readonly by: { readonly id: number; readonly username: string } }) {
  const { face } = usePerson({ accountId: by.id, username: by.username });
  return <bdi title={by.username}>{face?.fullName ?? by.username}</bdi>;
}
