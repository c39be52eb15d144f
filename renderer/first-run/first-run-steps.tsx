import type { Output } from '../../server/control/contract/contract.ts';
import { Address } from './address.tsx';
import { Apps } from './apps.tsx';
import type { FirstRun } from './use-first-run.ts';
import { You } from './you.tsx';

interface FirstRunStepsProps {
  readonly firstRun: FirstRun;
  readonly status: Output<'status'>;
}

/** The questions of the first run, once the folder is served. */
export function FirstRunSteps({ firstRun, status }: FirstRunStepsProps) {
  switch (firstRun.step) {
    case 'address':
      return <Address firstRun={firstRun} addresses={status.addresses} />;
    case 'apps':
      return <Apps firstRun={firstRun} />;
    default:
      return <You firstRun={firstRun} />;
  }
}
