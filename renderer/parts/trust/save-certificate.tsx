import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTransport } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { useSaveAs } from '../../save-as.ts';
import { ActionButton } from '../buttons/action-button.tsx';
import { RefusalNote } from '../note.tsx';

/** Saves the authority's certificate as a file, to be copied to other devices. */
export function SaveCertificate() {
  const transport = useTransport();
  const saveAs = useSaveAs();
  const [error, setError] = useState<Error | null>(null);
  async function save(): Promise<void> {
    try {
      setError(null);
      const { pem } = await transport.invoke('certificate.get', {});
      await saveAs(t('trust.file'), 'application/x-x509-ca-cert', pem);
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)));
    }
  }
  return (
    <>
      <ActionButton variant="default" icon={IconDownload} onClick={() => void save()}>
        {t('trust.save')}
      </ActionButton>
      <RefusalNote error={error} />
    </>
  );
}
