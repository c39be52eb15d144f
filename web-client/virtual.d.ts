// Modules that the build makes of what the server knows (`vite.config.ts`).

/** The messages of the catalogue that the scripts of one folder use, compiled. */
declare module 'virtual:messages/*' {
  export const t: import('../server/lib/messages/messages.ts').Messages<
    typeof import('../server/messages/catalogue.ts').catalogue
  >;
}

declare module 'virtual:file-types' {
  /** The extensions of each family of files, with spaces between them. */
  export const extensions: ReturnType<typeof import('../server/lib/names/file-types.ts').extensionsByType>;
}
