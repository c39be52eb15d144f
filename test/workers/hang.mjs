/** Blocks the thread for ever, as an endless loop does, but takes no processor time. */
export function hang() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
