import { createHash, createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderOf } from '../../node/support.js';
import { bodyOf, loopback } from '../../support/loopback.js';
import { coldfetch } from '../support.js';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A server that takes files as strict ones do: with a length, and never chunked. */
async function storage(answer: Answer = (_, response) => response.writeHead(201).end()) {
  const received: Received[] = [];
  const server = await loopback((request, response) => {
    void bodyOf(request).then((body) => {
      received.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      const isStrict =
        request.method === 'MKCOL' ||
        (request.headers['content-length'] === String(Buffer.byteLength(body)) && !request.headers['transfer-encoding']);
      if (isStrict) answer(request, response, received.length);
      else response.writeHead(411).end();
    });
  });
  return { ...server, received };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

describe('coldfetch put', () => {
  it('sends each file by PUT to a URL of its own, with its length and type', async () => {
    const { url, received } = await storage();
    const folder = await folderOf({ 'a b.png': 'image', 'sub/ü#?.txt': 'text', 'empty.json': '' });
    const { code, stdout, stderr } = await coldfetch(['put', folder, `${url}/shots/{name}?sig=s3cret`]);
    expect([code, stderr]).toEqual([0, '']);
    expect(
      received
        .map(({ method, url: path, body, headers }) => [method, path, body, headers['content-length'], headers['content-type']])
        .sort(),
    ).toEqual([
      ['PUT', '/shots/a%20b.png?sig=s3cret', 'image', '5', 'image/png'],
      ['PUT', '/shots/empty.json?sig=s3cret', '', '0', 'application/octet-stream'],
      ['PUT', '/shots/sub/%C3%BC%23%3F.txt?sig=s3cret', 'text', '4', 'application/octet-stream'],
    ]);
    expect(stdout).toMatch(/3 files to send \(9 B\)\n.*3 of 3 files uploaded.*\nall are at http:\/\/127\.0\.0\.1:\d+\/shots\/\n$/s);
    expect(stdout).not.toContain('s3cret');
  });

  it('takes a URL that ends in / for a folder, and makes missing folders of WebDAV, outer ones first', async () => {
    const { url, received } = await storage((request, response, count) => {
      const exists = request.method === 'MKCOL' && count === 1;
      response.writeHead(exists ? 405 : 201).end();
    });
    const { code } = await coldfetch(['put', await folderOf({ 'a/b/c.png': 'x', 'a/d.png': 'y' }), `${url}/dav/`, '--mkcol']);
    expect(code).toBe(0);
    const requests = received.map(({ method, url: path }) => `${method} ${path}`);
    expect(requests.slice(0, 2)).toEqual(['MKCOL /dav/a/', 'MKCOL /dav/a/b/']);
    expect(requests.slice(2).sort()).toEqual(['PUT /dav/a/b/c.png', 'PUT /dav/a/d.png']);
  });

  it('sends header fields and a checksum as asked', async () => {
    const { url, received } = await storage();
    const folder = await folderOf({ 'a.txt': 'text' });
    const header = ['--header', 'authorization: Bearer s3cret', '--header', 'content-type: text/plain'];
    await coldfetch(['put', folder, `${url}/{key}`, ...header, '--checksum', 'repr-digest']);
    await coldfetch(['put', folder, `${url}/{key}`, '--checksum', 'x-amz-checksum-sha256']);
    const base64 = sha256('text').toString('base64');
    expect(received).toMatchObject([
      {
        url: `/${sha256('text').toString('hex')}`,
        headers: { authorization: 'Bearer s3cret', 'content-type': 'text/plain', 'repr-digest': `sha-256=:${base64}:` },
      },
      { headers: { 'x-amz-checksum-sha256': base64 } },
    ]);
  });

  it('sends forms, with fields before the file', async () => {
    const { url, received } = await storage();
    const argv = ['--form', 'image', '--field', 'path={name}', '--field', 'sum={key}'];
    const { code } = await coldfetch(['put', await folderOf({ 'sub/a.png': 'x' }), `${url}/upload`, ...argv]);
    expect(code).toBe(0);
    expect(received).toMatchObject([{ method: 'POST', url: '/upload' }]);
    expect(received[0]?.body).toMatch(
      /name="path"\r\n\r\nsub\/a\.png\r\n.*name="sum"\r\n\r\n[\da-f]{64}\r\n.*name="image"; filename="a\.png"\r\nContent-Type: image\/png\r\n\r\nx\r\n/is,
    );
  });

  it('sends a file again after a failure, whole, and waits when the server says so', async () => {
    const { url, received } = await storage((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else response.writeHead(201).end();
    });
    const { code, stdout } = await coldfetch(['put', await folderOf({ 'a.png': 'whole' }), `${url}/`]);
    expect([code, received.map(({ body }) => body)]).toEqual([0, ['whole', 'whole']]);
    expect(stdout).toContain('2 requests sent, 1 answered 429');
  });

  it('names what did not arrive, and exits with 1', async () => {
    const { url } = await storage((request, response) => response.writeHead(request.url === '/b.png' ? 403 : 201).end());
    const { code, stdout, stderr } = await coldfetch(['put', await folderOf({ 'a.png': 'x', 'b.png': 'y' }), `${url}/`]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^failed: b\.png: PUT http:\S+: 403 Forbidden\S*[^\n]*\n$/);
    expect(stdout).toContain('1 of 2 files uploaded');
    expect(stdout).toContain('not all arrived: send them again');
  });

  it('signs for S3, each request with the hash of its bytes', async () => {
    const { url, received } = await storage();
    const env = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 's3cret', AWS_REGION: 'eu-central-1' };
    const { code } = await coldfetch(['put', await folderOf({ 'a.png': 'x' }), `${url}/bucket/{name}`, '--s3'], { env });
    const headers: IncomingHttpHeaders = received[0]?.headers ?? {};
    expect([code, headers['x-amz-content-sha256']]).toEqual([0, sha256('x').toString('hex')]);
    const date = String(headers['x-amz-date']);
    const scope = `${date.slice(0, 8)}/eu-central-1/s3/aws4_request`;
    const [, signed = '', signature] =
      /^AWS4-HMAC-SHA256 Credential=AKID\/\S+, SignedHeaders=(\S+), Signature=(\w{64})$/.exec(headers.authorization ?? '') ?? [];
    const fields = signed.split(';').map((name) => `${name}:${String(headers[name])}\n`);
    const canonical = ['PUT', '/bucket/a.png', '', fields.join(''), signed, headers['x-amz-content-sha256']].join('\n');
    const text = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical).toString('hex')].join('\n');
    const keyed = [date.slice(0, 8), 'eu-central-1', 's3', 'aws4_request', text];
    const expected = keyed.reduce<Buffer>((key, part) => createHmac('sha256', key).update(part).digest(), Buffer.from('AWS4s3cret'));
    expect([signed.split(';').includes('host'), signature]).toEqual([true, expected.toString('hex')]);
  });

  it.each([
    [['ftp://host/{name}'], 'not an http or https URL'],
    [['http://{name}.host/'], 'whose host is fixed'],
    [['http://host/fixed'], 'every file would go to the same place'],
    [['http://host/{nmae}'], 'the placeholder {nmae}; there are {name} and {key}'],
    [['http://user:s3cret@host/{name}'], 'a user name or password'],
    [['http://host/', '--s3'], '--s3 needs credentials: set AWS_ACCESS_KEY_ID'],
    [['http://host/', '--field', 'a=b'], 'give --form'],
    [['http://host/', '--field', 'a', '--form', 'x'], "Write it as 'name=value'"],
    [['http://host/', '--checksum', 'md5'], 'Allowed choices are repr-digest'],
  ])('refuses %j before anything is sent', async (argv, message) => {
    const { code, stderr } = await coldfetch(['put', await folderOf({ 'a.png': 'x' }), ...argv]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('s3cret');
  });

  it('sends each file to a URL of its own, as a manifest says, with the header fields of its signature', async () => {
    const { url, received } = await storage();
    const cwd = await folderOf({ 'shots/a.png': 'a', 'shots/sub/b.png': 'b', 'urls.json': '' });
    const manifest = JSON.stringify({
      'a.png': `${url}/x/1?sig=s3cret`,
      'sub/b.png': { url: `${url}/y/2?sig=s3cret`, headers: { 'X-Kind': 'own' } },
      'none.png': `${url}/z`,
    });
    await writeFile(join(cwd, 'urls.json'), manifest);
    for (const [path, stdin] of [['urls.json'], ['-', manifest]] as const) {
      received.length = 0;
      const argv = ['put', 'shots', '--urls', path, '--header', 'x-kind: all', '--concurrency', '1'];
      const { code, stdout, stderr } = await coldfetch(argv, { cwd, ...(stdin !== undefined && { stdin }) });
      expect([code, stderr, received.map((each) => [each.method, each.url, each.body, each.headers['x-kind']])]).toEqual([
        0,
        '',
        [
          ['PUT', '/x/1?sig=s3cret', 'a', 'all'],
          ['PUT', '/y/2?sig=s3cret', 'b', 'own'],
        ],
      ]);
      expect(stdout).toMatch(/\nall are at URLs of their own\n$/);
      expect(stdout).not.toContain('s3cret');
    }
  });

  it.each([
    [
      '{"b.png":"https://host/b"}',
      'a.png has no URL in the file of --urls; add one, or leave the file out by --exclude (nothing was sent)',
    ],
    ['{"a.png":"host"}', '--urls: "a.png" in - has no http or https URL; give it one, as a text or as { url, headers }'],
    ['{"a.png":{"url":"https://host/","headers":{"x":1}}}', '--urls: "a.png" in - has invalid header fields; give an object of texts'],
    ['["a"]', '--urls: The standard input holds no JSON object'],
    ['{', '--urls: The standard input is not JSON: '],
  ])('refuses the manifest %s, and sends nothing', async (stdin, message) => {
    const { code, stderr } = await coldfetch(['put', await folderOf({ 'a.png': 'a' }), '--urls', '-'], { stdin });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`coldfetch: ${message}`)]);
  });

  it.each([
    [['https://host/', '--urls', 'x'], '--urls has a URL for each file; leave out the other one'],
    [[], 'No URL: give one behind the folder, or one for each file by --urls'],
    [['--urls', 'none.json'], '--urls: /none.json does not exist'],
  ])('refuses %j', async (argv, message) => {
    expect(await coldfetch(['put', await folderOf({ 'a.png': 'a' }), ...argv])).toMatchObject({
      code: 2,
      stderr: `coldfetch: ${message}\n`,
    });
  });

  it('says what to do where the server redirects', async () => {
    const { url } = await storage((_, response) => response.writeHead(307, { location: 'https://elsewhere.test/' }).end());
    const { code, stdout, stderr } = await coldfetch(['put', await folderOf({ 'a.png': 'a' }), `${url}/{name}`]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('(ERR_REDIRECT_REFUSED)')]);
    expect(stdout).toContain(
      '1 file failed (a.png): the server redirects this URL, and files are not sent along: give the address that it leads to',
    );
  });
});
