import { createClient, isUsageError } from 'coldfetch';
import { putTarget, screenshots, uploadTo } from 'coldfetch/node';
import { defer, EMPTY, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { all } from '../support/all.js';
import { folderOf } from '../support/folderOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { only } from './support.js';

describe('putTarget with a function', () => {
  it('asks for the URL of each file when it is sent, and again where that has expired', async () => {
    const server = await loopback((request, response) => {
      void bodyOf(request).then(() => {
        if (request.url !== '/a.png?try=1') response.writeHead(201).end();
        else response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>');
      });
    });
    const asked: string[] = [];
    const target = putTarget(createClient(), ({ name }) =>
      defer(() => {
        asked.push(name);
        const tries = asked.filter((each) => each === name).length;
        return of({ url: `${server.url}/${name}?try=${tries}` });
      }),
    );
    const events = await all(uploadTo(target, screenshots(await folderOf({ 'a.png': 'a', 'b.png': 'b' })), { concurrency: 1 }));
    expect(only(events, 'summary')).toMatchObject([{ completed: true, arrived: 2 }]);
    expect(server.requests).toEqual(['PUT /a.png?try=1', 'PUT /a.png?try=2', 'PUT /b.png?try=1']);
  });

  it.each([
    ['no URL', () => '', 'a.png has no http or https URL'],
    ['nothing', () => EMPTY, 'a.png has no URL'],
    ['a URL with a password', () => Promise.resolve('https://a:b@host/'), 'a.png has a URL with a user name or password'],
  ])('fails the file for which it gives %s', async (_case, addressing, message) => {
    const events = await all(uploadTo(putTarget(createClient(), addressing), screenshots(await folderOf({ 'a.png': 'a' }))));
    expect(only(events, 'failed')).toMatchObject([{ path: 'a.png', reason: expect.stringContaining(message) as string }]);
    expect(isUsageError(only(events, 'failed')[0]?.error)).toBe(true);
  });

  it('makes no collections', () => {
    expect(() => putTarget(createClient(), () => 'https://host/', { makeCollections: true })).toThrow(
      'makeCollections needs a URL with {name}',
    );
  });
});
