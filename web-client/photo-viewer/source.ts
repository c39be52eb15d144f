// What the viewer shows, and what can be done with it: different for files and for web links.

export interface ViewerItem {
  readonly path: string;
  readonly name: string;
  readonly kind: 'picture' | 'video' | 'audio';
  /** Changes with its content, and is part of the addresses of that; null where it is not known. */
  readonly mark: string | null;
  /** When it was changed, as text. */
  readonly when: string;
  readonly isStarred: boolean;
  /** Of a photo with a film, which is another file or inside of it: the address of the film; null for all others. */
  readonly film: string | null;
  /** Of a burst that is shown as one: its other photos. */
  readonly burst: readonly ViewerItem[];
}

/** In the order of their buttons. */
export const VIEWER_ACTIONS = ['star', 'share', 'download'] as const;
export type ViewerAction = (typeof VIEWER_ACTIONS)[number];

export interface ViewerSource {
  /** Those that are loaded, in the order of the list. */
  items(): readonly ViewerItem[];
  /** Whether the list goes on. */
  hasMore(): boolean;
  /** @returns whether there was more */
  loadMore(): Promise<boolean>;
  /** The address of a preview with so many pixels on its longer side; null if there is none. */
  preview(item: ViewerItem, side: number): string | null;
  /** The address of a picture that moves, which its preview does not; null for all others. */
  moving(item: ViewerItem): string | null;
  /** The address of the icon of its type. */
  icon(item: ViewerItem): string;
  /** The address of a film or of music. */
  media(item: ViewerItem): string;
  /** Whether not a byte of it may be requested before it is played. */
  readonly isPlayedOnDemand: boolean;
  /** What to say before something is played; empty if there is nothing to say. */
  readonly playNote: string;
  can(action: ViewerAction | 'delete' | 'menu', item: ViewerItem): boolean;
  perform(action: ViewerAction | 'delete', item: ViewerItem): Promise<void>;
  /** The same for a single photo of the burst that is shown. */
  performOnOne(action: 'delete', photo: ViewerItem): Promise<void>;
  /** @param button that opened it */
  showMenu(item: ViewerItem, button: HTMLElement): void;
  /** The details of an item, as elements; null if there are none. */
  details(item: ViewerItem): Promise<Node | null>;
  /** Another item is shown now. */
  moved(item: ViewerItem): void;
  /** Someone wants to leave; the viewer is then closed by `close`. */
  leave(): void;
  /** It is closed. @param item that was shown last; null if there is none left */
  closed(item: ViewerItem | null): void;
}
