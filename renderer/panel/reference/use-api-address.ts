import { useControl } from '../../control/control.tsx';

/** The address of the API for other machines; null while unknown. @param apiPath with the prefix of the installation */
export function useApiAddress(apiPath: string): string | null {
  const [address] = useControl('status', {}).data?.addresses ?? [];
  return address === undefined ? null : `${new URL(address).origin}${apiPath}`;
}
