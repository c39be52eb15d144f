import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { privateKeyOf, rawPublic, sealingFor } from '../../dist/server/backup/format/passphrase.js';
import { sealKeys, unsealKeys } from '../../dist/server/backup/format/sealed-keys.js';
import { t } from '../support/server-texts.ts';

const FILES = { 'ca.key': 'the secret of the household', 'server.key': 'another one' };

describe('sealed keys', () => {
  it('can be opened only with the passphrase, and sealed without it', async () => {
    const kept = await sealingFor('größe und maß');
    // Long enough that random keys do not contain it by chance.
    for (const word of ['größe', 'maß']) expect(JSON.stringify(kept)).not.toContain(word);
    const { text, open } = sealKeys(FILES, kept);
    expect(text).not.toContain('secret');
    expect(open(text)).toEqual(FILES);
    expect(await unsealKeys(text, 'größe und maß')).toEqual(FILES);
    // The same text, composed in another way, as another keyboard gives it.
    expect(await unsealKeys(text, 'größe und maß'.normalize('NFD'))).toEqual(FILES);
    await expect(unsealKeys(text, 'größe und mass')).rejects.toThrow(t('api.backup.passphraseWrong'));
    await expect(unsealKeys(text, '')).rejects.toThrow(t('api.backup.passphraseWrong'));
  });

  it('differ each time they are sealed', async () => {
    const kept = await sealingFor('the same passphrase');
    expect(sealKeys(FILES, kept).text).not.toBe(sealKeys(FILES, kept).text);
    expect((await sealingFor('the same passphrase')).publicKey).not.toBe(kept.publicKey);
    const key = await privateKeyOf('the same passphrase', kept);
    expect(key.asymmetricKeyType).toBe('x25519');
  });

  it('are refused if any byte of the file was changed', async () => {
    const passphrase = 'a good passphrase';
    const { text, open } = sealKeys(FILES, await sealingFor(passphrase));
    const file = JSON.parse(text) as Record<string, string | number>;
    const other = rawPublic(generateKeyPairSync('x25519').publicKey).toString('base64');
    const changes: Record<string, unknown> = {
      format: 'larder-sealed-key',
      formatVersion: 2,
      kdf: 'argon2i',
      cipher: 'none',
      salt: Buffer.alloc(16).toString('base64'),
      memory: 1_024,
      passes: 1,
      publicKey: other,
      ephemeralKey: other,
      nonce: Buffer.alloc(12).toString('base64'),
      tag: Buffer.alloc(16).toString('base64'),
      content: Buffer.from('nothing').toString('base64'),
    };
    expect(Object.keys(changes).sort()).toEqual(Object.keys(file).sort());
    for (const [field, value] of Object.entries(changes)) {
      const changed = JSON.stringify({ ...file, [field]: value });
      await expect(unsealKeys(changed, passphrase), field).rejects.toThrow(
        new RegExp(`${t('api.backup.keysDamaged')}|${t('api.backup.passphraseWrong')}`),
      );
      expect(() => open(changed), field).toThrow(t('api.backup.keysDamaged'));
    }
    // What would take all memory of the machine to derive is not tried.
    await expect(unsealKeys(JSON.stringify({ ...file, memory: 2 ** 31 }), passphrase)).rejects.toThrow(
      t('api.backup.keysDamaged'),
    );
  });
});
