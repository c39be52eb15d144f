import type { HomeProgress, Keeper } from '../catalogue/keeper.ts';
import type { ControlEventName, ControlPayload } from './contract/events.ts';

export type ControlListener = <Name extends ControlEventName>(name: Name, payload: ControlPayload<Name>) => void;

/** What the owner's side is told without asking. */
export interface ControlEventSource {
  /** First how things are, then every change. Returns the function that ends the subscription. */
  subscribe(listener: ControlListener): () => void;
}

export function createControlEvents(keeper: Pick<Keeper, 'progress' | 'onProgress'>): ControlEventSource {
  return {
    subscribe(listener) {
      const tell = (progress: HomeProgress) => listener('catalogue.progress', progressOf(progress));
      for (const progress of keeper.progress()) tell(progress);
      return keeper.onProgress(tell);
    },
  };
}

export function progressOf({ homeId, ...progress }: HomeProgress): ControlPayload<'catalogue.progress'> {
  return { id: homeId, ...progress };
}
