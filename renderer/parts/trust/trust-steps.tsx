import { Accordion } from '@mantine/core';
import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandWindows,
  IconDeviceDesktop,
  IconTerminal2,
} from '@tabler/icons-react';
import { t } from '../../messages/messages.ts';
import styles from './trust-steps.module.css';

const DEVICES = [
  { device: 'ios', icon: IconBrandApple },
  { device: 'android', icon: IconBrandAndroid },
  { device: 'windows', icon: IconBrandWindows },
  { device: 'mac', icon: IconDeviceDesktop },
  { device: 'linux', icon: IconTerminal2 },
] as const;

const STEPS = {
  ios: ['trust.steps.ios.download', 'trust.steps.ios.install', 'trust.steps.ios.compare', 'trust.steps.ios.trust'],
  android: ['trust.steps.android.download', 'trust.steps.android.install', 'trust.steps.android.compare'],
  windows: ['trust.steps.windows.download', 'trust.steps.windows.install'],
  mac: ['trust.steps.mac.download', 'trust.steps.mac.trust'],
  linux: ['trust.steps.linux.download', 'trust.steps.linux.programs', 'trust.steps.linux.browser'],
} as const;

/** Instructions to trust this Larder, by kind of device. @param address of the server */
export function TrustSteps({ address }: { readonly address: string }) {
  return (
    <Accordion chevronPosition="right" classNames={{ content: styles.content ?? '', control: styles.control ?? '' }}>
      {DEVICES.map(({ device, icon: Picture }) => {
        const steps = STEPS[device];
        return (
          <Accordion.Item key={device} value={device}>
            <Accordion.Control icon={<Picture size={20} stroke={1.75} />}>
              {t(`trust.devices.${device}`)}{' '}
              <span className={styles.count}>{t('trust.count', { steps: steps.length })}</span>
            </Accordion.Control>
            <Accordion.Panel>
              <ol className={styles.steps}>
                {steps.map((step) => (
                  <li key={step}>{t(step, { certificate: `${address}/ca.crt` })}</li>
                ))}
              </ol>
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}
