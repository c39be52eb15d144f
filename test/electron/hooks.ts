/** Of Node's module loader (`module.register`): whoever asks for Electron gets what stands in for it. */
export async function resolve(
  specifier: string,
  context: unknown,
  next: (specifier: string, context: unknown) => Promise<{ url: string }>,
): Promise<{ url: string; shortCircuit?: boolean }> {
  if (specifier !== 'electron') return next(specifier, context);
  return { url: new URL('./index.js', import.meta.url).href, shortCircuit: true };
}
