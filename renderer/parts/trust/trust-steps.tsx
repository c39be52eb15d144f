import { Accordion } from '@mantine/core';
import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandWindows,
  IconDeviceDesktop,
  IconTerminal2,
} from '@tabler/icons-react';
import { trustTexts as words } from '../../texts/trust.ts';
import styles from './trust-steps.module.css';

const DEVICES = [
  { device: 'ios', icon: IconBrandApple },
  { device: 'android', icon: IconBrandAndroid },
  { device: 'windows', icon: IconBrandWindows },
  { device: 'mac', icon: IconDeviceDesktop },
  { device: 'linux', icon: IconTerminal2 },
] as const;

/** How each kind of device is told to trust this Larder. @param address where it is reached */
export function TrustSteps({ address }: { readonly address: string }) {
  return (
    <Accordion chevronPosition="right" classNames={{ content: styles.content ?? '', control: styles.control ?? '' }}>
      {DEVICES.map(({ device, icon: Picture }) => {
        const steps = words.steps[device](`${address}/ca.crt`);
        return (
          <Accordion.Item key={device} value={device}>
            <Accordion.Control icon={<Picture size={20} stroke={1.75} />}>
              {words.devices[device]} <span className={styles.count}>{words.count(steps.length)}</span>
            </Accordion.Control>
            <Accordion.Panel>
              <ol className={styles.steps}>
                {steps.map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}
