/** The argument with which a worker is told to take the WebAssembly build of the image library. */
export const WASM_IMAGES = '--wasm-images';
