import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { isUsageError } from 'coldfetch';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readAuthorities } from '../../../src/cli/upload/readAuthorities.js';
import { folderOf } from '../../support/folderOf.js';

const TLS = fileURLToPath(new URL('../../fixtures/tls/', import.meta.url));
const pem = (name: string): Promise<string> => readFile(join(TLS, `${name}.pem`), 'utf8');
const given = (value: string) => ({ value, from: '--ca' });

async function messageFor(content: string | Uint8Array): Promise<string> {
  const cwd = await folderOf({ 'ca.pem': content });
  const error: unknown = await readAuthorities(given('ca.pem'), { env: {}, cwd }).catch((reason: unknown) => reason);
  expect(isUsageError(error)).toBe(true);
  return String(error).replace(`UsageError: --ca: ${join(cwd, 'ca.pem')} `, '');
}

describe('readAuthorities', () => {
  it('finds none where neither an option nor a variable names a file', async () => {
    expect(await readAuthorities(undefined, { env: { SSL_CERT_FILE: '' }, cwd: '/' })).toBeUndefined();
  });

  it('reads the certificates of a file, and leaves the text around them', async () => {
    const cwd = await folderOf({ 'ca.pem': `An authority:\n${await pem('ca')}and another:\n${await pem('ca')}` });
    const certificate = String(new X509Certificate(await pem('ca')));
    const authorities = { certificates: [certificate, certificate], isWhole: false };
    expect(await readAuthorities(given('ca.pem'), { env: {}, cwd })).toEqual(authorities);
    expect(await readAuthorities(undefined, { env: { COLDFETCH_CA: 'ca.pem' }, cwd })).toEqual(authorities);
  });

  it("has those of SSL_CERT_FILE in the place of Node's own, and those of the option beside them", async () => {
    const env = { SSL_CERT_FILE: join(TLS, 'ca.pem') };
    expect(await readAuthorities(undefined, { env, cwd: '/' })).toMatchObject({ isWhole: true, certificates: { length: 1 } });
    expect(await readAuthorities(given(join(TLS, 'ca.pem')), { env, cwd: '/' })).toMatchObject({
      isWhole: true,
      certificates: { length: 2 },
    });
  });

  it('leaves out certificates that have expired, and refuses a file of no others', async () => {
    const cwd = await folderOf({ 'ca.pem': `${await pem('expired-ca')}${await pem('ca')}` });
    expect(await readAuthorities(given('ca.pem'), { env: {}, cwd })).toMatchObject({ certificates: { length: 1 } });
    expect(await messageFor(await pem('expired-ca'))).toBe(
      'holds a certificate that has expired: CN=expired coldfetch specs, valid until Jan  1 00:00:00 2021 GMT; get a newer one, unless the clock of this machine is wrong',
    );
  });

  it('refuses a file whose certificates are not valid yet', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2020-01-01') });
    onTestFinished(() => void vi.useRealTimers());
    await expect(readAuthorities(given(join(TLS, 'ca.pem')), { env: {}, cwd: '/' })).rejects.toThrow(/is not valid yet: .*; the clock/);
  });

  it.each([
    ['text', 'hello', 'holds no certificate in PEM (-----BEGIN CERTIFICATE-----); name a PEM file of certificates'],
    ['nothing', '', 'holds no certificate in PEM (-----BEGIN CERTIFICATE-----); name a PEM file of certificates'],
  ])('refuses a file that holds %s', async (_case, content, message) => {
    expect(await messageFor(content)).toBe(message);
  });

  it('says of a file of another kind which one it is, and what to name or do', async () => {
    expect(await messageFor(await pem('server-key'))).toBe("holds a private key and no certificate; name the authority's certificate");
    expect(await messageFor(new X509Certificate(await pem('ca')).raw)).toMatch(/^is a certificate in DER, .*; convert it: openssl x509/);
    expect(await messageFor(await pem('server'))).toBe('holds no certificate of an authority; name that of the issuer, CN=coldfetch specs');
    expect(await messageFor((await pem('ca')).replace(/MII/, 'xxx'))).toMatch(
      /^is damaged: its certificate 1 of 1 cannot be read \(.*\); get it anew$/,
    );
  });

  it.each([
    ['--ca', 'ca.pem', {}],
    ['COLDFETCH_CA', undefined, { COLDFETCH_CA: 'ca.pem' }],
    ['SSL_CERT_FILE', undefined, { SSL_CERT_FILE: 'ca.pem' }],
  ])('names the place of a file that is not there, or is a folder: %s', async (from, option, env) => {
    const cwd = await folderOf({ 'folder/ca.pem/x': '' });
    const read = (folder: string) => readAuthorities(option === undefined ? undefined : given(option), { env, cwd: folder });
    await expect(read(cwd)).rejects.toThrow(`${from}: ${join(cwd, 'ca.pem')} does not exist; name a PEM file of certificates`);
    await expect(read(join(cwd, 'folder'))).rejects.toThrow(`${join(cwd, 'folder/ca.pem')} is a folder; name a PEM file`);
  });
});
