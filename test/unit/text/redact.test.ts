import { describe, expect, it } from 'vitest';
import { createLog } from '../../../dist/server/lib/log/log.js';
import { redactText } from '../../../dist/server/lib/log/redact.js';

const SECRET = 'S3cr3t-value_42.x~y';

describe('texts', () => {
  it.each([
    `GET /api.php/account/info?access_token=${SECRET}`,
    `/oauth2/token/?grant_type=password&password=${SECRET}&scope=list`,
    `password=${SECRET}`,
    `PASSWORD=${SECRET}`,
    `code=${SECRET}&state=${SECRET}`,
    `client_id=x&client_secret=${SECRET}`,
    `refresh_token=${SECRET}`,
    `new_password=${SECRET}&current_password=${SECRET}`,
    `otp=${SECRET}`,
    `https://files.example/wl/?id=${SECRET}`,
    `https://files.example/wl/?fmode=open&id=${SECRET}#top`,
    `/guest/%3Fid=${SECRET}`,
    `/wl/%3Ffmode%3Dopen%26id%3D${SECRET}`,
    `Authorization: Bearer ${SECRET}`,
    `authorization: basic ${SECRET}`,
    `http://127.0.0.1:8444/#open=${SECRET}`,
    `http://127.0.0.1:8444/#setup=${SECRET}`,
    `https://files.example/#invite/${SECRET}`,
    `"password=${SECRET}"`,
  ])('lose their secret: %s', (text) => {
    const clean = redactText(text);
    expect(clean).not.toContain(SECRET);
    expect(clean).toContain('[redacted]');
    expect(redactText(clean), 'twice is the same').toBe(clean);
  });

  it.each(['uuid=5', 'the identity of ann', 'valid=1', '/api.php/files/browse', 'A bearer of news'])(
    'keep %s',
    (text) => {
      expect(redactText(text)).toBe(text);
    },
  );

  it('keep everything beside a secret', () => {
    expect(redactText(`/x?path=/ROOT/HOME&password=${SECRET}&scope=list`)).toBe(
      '/x?path=/ROOT/HOME&password=[redacted]&scope=list',
    );
  });
});

describe('the log', () => {
  function lines(write: (log: ReturnType<typeof createLog>) => void): string {
    let text = '';
    write(createLog('trace', { write: (line: string) => (text += line) } as never));
    return text;
  }

  it('contains no secret, wherever it was logged', () => {
    const text = lines((log) => {
      log.info({ password: SECRET, body: { token: SECRET, deep: { clientSecret: SECRET } } }, `password=${SECRET}`);
      log.error({ err: new Error(`GET /x?access_token=${SECRET} failed`) }, 'failed');
      log.error({ err: `Bearer ${SECRET}` });
      log.warn(`Authorization: Bearer ${SECRET}`);
      log.debug({ authorization: `Bearer ${SECRET}`, headers: { cookie: SECRET, authorization: SECRET } });
    });
    expect(text.trim().split('\n')).toHaveLength(5);
    expect(text).not.toContain(SECRET);
  });
});
