const FROM_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Text in an encoding that Node can only decode: every character is looked up in the decoded bytes. */
export function encode(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding);
  const bytesOf = new Map<string, readonly number[]>();
  const learn = (...bytes: number[]) => {
    const char = decoder.decode(Uint8Array.from(bytes));
    if (char.length === 1 && char !== '\ufffd' && !bytesOf.has(char)) bytesOf.set(char, bytes);
  };
  for (let first = 0; first < 256; first += 1) learn(first);
  for (let first = 0x81; first < 255; first += 1)
    for (let second = 0x40; second < 255; second += 1) learn(first, second);
  // The windows-1252 of browsers, which differs from Node's.
  if (encoding === 'windows-1252')
    for (const [index, char] of [...FROM_80].entries()) bytesOf.set(char, [0x80 + index]);
  return Buffer.from(
    [...text].flatMap((char) => {
      const bytes = bytesOf.get(char);
      if (bytes === undefined) throw new Error(`${encoding} has no ${char}`);
      return [...bytes];
    }),
  );
}
