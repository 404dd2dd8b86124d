import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../src/request/withoutSecrets.js';

describe('withoutSecrets', () => {
  it.each([
    ['https://api.test/a/b?c=d#e', 'https://api.test/a/b'],
    ['https://me:pass@api.test:8443/a', 'https://api.test:8443/a'],
    ['/users?token=secret', '/users'],
    ['me:pass@api.test/users', 'api.test/users'],
    ['//me:pass@api.test/users', 'api.test/users'],
    ['localhost:3000/users?token=secret', 'localhost:3000/users'],
    ['app://host/a?b', 'app://host/a'],
    ['data:text/plain,secret', 'data:'],
    ['file:///tmp/a?b', 'file:///tmp/a'],
    ['http://[::1]:80/a', 'http://[::1]/a'],
    ['not a url\n?secret', 'not a url\n'],
    ['', ''],
  ])('cuts %j to %j', (url, shown) => {
    expect(withoutSecrets(url)).toBe(shown);
  });
});
