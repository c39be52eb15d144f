import { describe, expect, it } from 'vitest';
import { humanSize } from '../../../dist/server/listing/human.js';

describe('sizes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [13, '13 bytes'],
    [1023, '1023 bytes'],
    [1024, '1.0 KB'],
    [1434, '1.4 KB'],
    [3_355_443, '3.2 MB'],
    [102_348, '99.9 KB'],
    [102_349, '100 KB'],
    [1_048_063, '1023 KB'],
    [1_048_064, '1.0 MB'],
    [1_048_575, '1.0 MB'],
    [1_048_576, '1.0 MB'],
    [1024 ** 3 - 1, '1.0 GB'],
    [128 * 1024 ** 3, '128 GB'],
    [1024 ** 4, '1.0 TB'],
    [1024 ** 5, '1.0 PB'],
    [5_000 * 1024 ** 5, '5000 PB'],
  ])('%d is %s', (bytes, text) => expect(humanSize(bytes)).toBe(text));
});
