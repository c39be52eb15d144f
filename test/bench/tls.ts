/** What every server and every client of the benchmark agrees on, so that none is ahead by its cipher. */
export const CIPHER = 'TLS_AES_128_GCM_SHA256';
