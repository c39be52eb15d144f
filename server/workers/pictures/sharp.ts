import type { SharpConstructor } from 'sharp';
import { WASM_IMAGES } from './wasm-images.ts';

/**
 * Loads the image library: the native one, and the one in WebAssembly where that does not load, or where its libraries clash
 * with those of the process around it, as in a desktop application on Linux.
 */
export async function loadSharp(): Promise<SharpConstructor> {
  // The library looks for a native build by this name, finds none for it, and falls back by itself.
  if (process.argv.includes(WASM_IMAGES)) Object.defineProperty(process, 'arch', { value: 'wasm32' });
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
