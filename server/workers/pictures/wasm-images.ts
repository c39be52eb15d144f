/** The argument that makes a worker use the WebAssembly build of the image library. */
export const WASM_IMAGES = '--wasm-images';
