// The texts of the pages stand beside their HTML. The build evaluates them and puts the result into these modules.

declare module 'virtual:files-texts' {
  export const texts: typeof import('../server/web/files/texts.ts').filesScriptTexts;
}

declare module 'virtual:link-texts' {
  export const texts: typeof import('../server/web/public-links/texts.ts').linkScriptTexts;
}

declare module 'virtual:file-types' {
  /** The extensions of each family of files, with spaces between them. */
  export const extensions: ReturnType<typeof import('../server/lib/names/file-types.ts').extensionsByType>;
}
