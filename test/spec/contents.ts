import type { Section } from './table.ts';
export const contents: readonly Section[] = [];
