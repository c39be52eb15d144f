import { useControl } from '../../control/control.tsx';

/** Where other machines find the API; null while that is not known. @param apiPath with the prefix of the installation */
export function useApiAddress(apiPath: string): string | null {
  const [address] = useControl('status', {}).data?.addresses ?? [];
  return address === undefined ? null : `${new URL(address).origin}${apiPath}`;
}
