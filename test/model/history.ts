/** Names below the home, as they are asked for. */
export type Path = readonly string[];

/** One request of one client, with everything that was only known when it was sent. */
export type Operation =
  | { readonly kind: 'createfolder'; readonly path: Path; readonly name: string }
  | {
      readonly kind: 'upload';
      readonly path: Path;
      readonly text: string;
      /** Sent as `filePath`. */
      readonly makesFolders: boolean;
      /** Only this part of the content, which has so many bytes altogether. All contents are ASCII. */
      readonly piece?: { readonly start: number; readonly total: number };
    }
  | { readonly kind: 'rename'; readonly path: Path; readonly newName: string; readonly overwrite: boolean }
  | { readonly kind: 'move'; readonly path: Path; readonly to: Path; readonly overwrite: boolean }
  | { readonly kind: 'copy'; readonly path: Path; readonly to: Path; readonly overwrite: boolean }
  | { readonly kind: 'delete'; readonly path: Path; readonly permanent: boolean }
  | { readonly kind: 'trash/restore'; readonly trashId: string }
  | { readonly kind: 'trash/delete'; readonly trashId: string }
  | { readonly kind: 'trash/list' }
  | { readonly kind: 'versions/list'; readonly path: Path }
  | { readonly kind: 'versions/restore'; readonly path: Path; readonly version: number }
  | { readonly kind: 'versions/delete'; readonly path: Path; readonly version: number }
  | { readonly kind: 'download'; readonly path: Path; readonly version: number | null }
  | { readonly kind: 'browse'; readonly path: Path; readonly recursive: boolean }
  /** Not of a client: what disk and catalogue say together when nothing is under way. */
  | { readonly kind: 'observe' };

export interface ListedVersion {
  readonly version: number;
  readonly size: number;
  /** Whether it names who brought the content. */
  readonly isSigned: boolean;
}

export interface Listed {
  /** Below the home, or in the trash the id alone. */
  readonly path: Path;
  readonly name: string;
  readonly isDir: boolean;
  readonly uuid: string;
  readonly size: number | null;
  readonly version: number | null;
}

/** What of a reply says something about the files. `code` is null when it succeeded. */
export interface Reply {
  readonly status: number;
  readonly code: string | null;
  readonly path?: Path;
  readonly uuid?: string;
  readonly version?: number;
  readonly size?: number;
  readonly offset?: number;
  readonly trashId?: string;
  readonly versions?: readonly ListedVersion[];
  readonly listed?: readonly Listed[];
  /** Of a download; null for a ZIP archive. */
  readonly text?: string | null;
  readonly observed?: Observation;
}

/** An operation with its reply. The times order all that was sent and received in a round. */
export interface Call {
  readonly id: number;
  readonly client: number;
  readonly operation: Operation;
  readonly reply: Reply;
  readonly began: number;
  readonly ended: number;
  /** Milliseconds that it took. */
  readonly took: number;
}

export interface ObservedContent {
  readonly version: number;
  readonly text: string;
  readonly isSigned: boolean;
}

export type Observed = ObservedFile | ObservedFolder;

export interface ObservedFile extends ObservedContent {
  readonly isDir: false;
  readonly name: string;
  /** Null for what no listing has met yet: below a folder that was copied, and by other means. */
  readonly uuid: string | null;
  /** The newest first. */
  readonly history: readonly ObservedContent[];
}

export interface ObservedFolder {
  readonly isDir: true;
  readonly name: string;
  readonly uuid: string | null;
  readonly children: readonly Observed[];
}

export interface Observation {
  readonly root: ObservedFolder;
  readonly trash: readonly {
    readonly id: string;
    readonly name: string;
    readonly parentUuid: string | null;
    readonly item: Observed;
  }[];
  readonly uploads: readonly { readonly key: string; readonly total: number; readonly text: string }[];
}
