import { TextInput } from '@mantine/core';
import { useDesktop } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import styles from './address.module.css';
import { isPort } from './answers.ts';
import { forOthers } from './for-others.ts';
import { portOf, withPort } from './port.ts';
import { problemOf, StepForm, textFieldOf } from './step-form.tsx';
import type { FirstRun } from './use-first-run.ts';

interface AddressProps {
  readonly firstRun: FirstRun;
  /** The present addresses. */
  readonly addresses: readonly string[];
}

/** First run: the household's name, and its address for other devices. */
export function Address({ firstRun, addresses }: AddressProps) {
  const { answers, answer, shown: problems } = firstRun;
  const isInWindow = useDesktop() !== null;
  const current = portOf(addresses);
  const { port } = answers;
  // An invalid one is not shown in the address.
  const requested = port !== null && isPort(port) && problems.port === undefined ? Number(port) : null;
  const others = forOthers(addresses);
  const listed = (others.length === 0 ? addresses : others).map((address) =>
    requested === null ? address : withPort(address, requested),
  );
  return (
    <StepForm
      step="address"
      firstRun={firstRun}
      heading={t('firstRun.address.heading')}
      lead={t('firstRun.address.lead')}
    >
      <TextInput
        label={t('firstRun.address.household')}
        description={t('firstRun.address.householdHelp')}
        autoComplete="off"
        // The limit of the server.
        maxLength={60}
        {...textFieldOf(firstRun, 'householdName')}
      />
      {isInWindow && (
        <TextInput
          name="port"
          label={t('firstRun.address.port')}
          description={t('firstRun.address.portHelp')}
          className={styles.port}
          autoComplete="off"
          inputMode="numeric"
          required
          value={port ?? String(current ?? '')}
          error={problemOf(problems.port)}
          onChange={(event) => answer({ port: event.currentTarget.value })}
        />
      )}
      <section className={styles.addresses} aria-labelledby="addresses">
        <h2 id="addresses">{t('firstRun.address.addresses')}</h2>
        <p className={styles.help}>
          {others.length === 0 ? t('firstRun.address.onlyHere') : t('firstRun.address.addressesHelp')}
        </p>
        <ul>
          {listed.map((address) => (
            <li key={address}>
              <code>{address}</code>
            </li>
          ))}
        </ul>
        {!isInWindow && current !== null && (
          <p className={styles.help}>{t('firstRun.address.portGiven', { port: current })}</p>
        )}
      </section>
    </StepForm>
  );
}
