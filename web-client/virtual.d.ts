// Modules that the build generates from server code (`vite.config.ts`).

/** The messages of the catalogue that the scripts of one folder use, compiled. */
declare module 'virtual:messages/*' {
  export const t: import('../server/lib/messages/messages.ts').Messages<
    typeof import('../server/messages/catalogue.ts').catalogue
  >;
}

declare module 'virtual:file-types' {
  /** The extensions of each file type, separated by spaces. */
  export const extensions: ReturnType<typeof import('../server/lib/names/file-types.ts').extensionsByType>;
}

declare module 'virtual:file-pages' {
  /** The addresses of pages that are shown in place of one another, below that of the file pages. */
  export const pages: readonly string[];
}
