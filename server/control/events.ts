import type { Backups } from '../backup/backups.ts';
import type { Progress } from '../backup/job-progress.ts';
import type { HomeProgress, Reconciler } from '../catalogue/reconcile/reconciler.ts';
import type { Traffic, TrafficSample } from '../http/connection/traffic.ts';
import { isoSeconds } from '../lib/datetime.ts';
import type { ControlEventName, ControlPayload } from './contract/events.ts';

type ControlListener = <Name extends ControlEventName>(name: Name, payload: ControlPayload<Name>) => void;

/** The source of control events. */
export interface ControlEventSource {
  /** Calls the listener with the present state, then with every change. Returns the function that unsubscribes. */
  subscribe(listener: ControlListener): () => void;
}

export function createControlEvents(
  traffic: Pick<Traffic, 'onSample'>,
  reconciler: Pick<Reconciler, 'progress' | 'onProgress'>,
  backups: Pick<Backups, 'progress' | 'onProgress'>,
): ControlEventSource {
  return {
    subscribe(listener) {
      const reportCatalogue = (progress: HomeProgress) => listener('catalogue.progress', progressOf(progress));
      for (const progress of reconciler.progress()) reportCatalogue(progress);
      const reportBackup = (progress: Progress | null) => listener('backup.progress', backupProgressOf(progress));
      if (backups.progress() !== null) reportBackup(backups.progress());
      const reportTraffic = (sample: TrafficSample) => listener('traffic', sampleOf(sample));
      const ends = [
        reconciler.onProgress(reportCatalogue),
        backups.onProgress(reportBackup),
        traffic.onSample(reportTraffic),
      ];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

export function sampleOf({ at, ...sample }: TrafficSample): ControlPayload<'traffic'> {
  return { at: isoSeconds(at), ...sample };
}

export function progressOf({ homeId, ...progress }: HomeProgress): ControlPayload<'catalogue.progress'> {
  return { id: homeId, ...progress };
}

export function backupProgressOf(progress: Progress | null): ControlPayload<'backup.progress'> {
  return progress ?? { what: null, phase: null, doneFiles: 0, doneBytes: 0, totalBytes: null };
}
