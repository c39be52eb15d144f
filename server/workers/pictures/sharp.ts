import type { SharpConstructor } from 'sharp';
import { WASM_IMAGES } from './wasm-images.ts';

/**
 * Loads the image library: the native build, or the WebAssembly build where that does not load, or where its libraries conflict
 * with those of the process, as in a desktop application on Linux.
 */
export async function loadSharp(): Promise<SharpConstructor> {
  // The library looks for a native build by this name, finds none, and falls back to WebAssembly.
  if (process.argv.includes(WASM_IMAGES)) Object.defineProperty(process, 'arch', { value: 'wasm32' });
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
