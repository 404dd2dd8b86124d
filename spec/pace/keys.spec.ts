import { describe, expect, it } from 'vitest';
import { routeOf } from '../../src/pace/keys.js';

describe('routeOf', () => {
  it.each([
    ['https://api.example.com/v2/builds/123/images?page=2', '/v2/builds'],
    ['https://api.example.com/users', '/users'],
    ['https://api.example.com/users/', '/users'],
    ['https://api.example.com/users/42', '/users'],
    ['https://api.example.com/users/42/posts/7', '/users'],
    ['https://api.example.com/', '/'],
    ['https://api.example.com', '/'],
    ['https://api.example.com?page=2', '/'],
    ['https://api.example.com:8443/busy', '/busy'],
    ['http://127.0.0.1:8080/busy', '/busy'],
    ['https://user:pass@api.example.com/busy', '/busy'],
    ['/api/users/42', '/api/users'],
    ['users/list', '/users/list'],
    ['', '/'],
  ])('is the path up to the first segment that looks like an id: %s', (url, route) => {
    expect(routeOf(url)).toBe(route);
  });

  it.each([
    ['a number', '7'],
    ['a UUID', 'f47ac10b-58cc-4372-a567-0e02b2c3d479'],
    ['a UUID that begins with a letter', 'a1b2c3d4-58cc-4372-a567-0e02b2c3d479'],
    ['a short hash', 'd0a69a5'],
    ['a long one without a digit', 'abcdefghijklmnopqrstuvwxyzabcdefghi'],
    ['a file with a number', 'screenshot-0001.png'],
    ['a number with a prefix', 'cus_1234'],
    ['an e-mail address', 'me@example.com'],
    ['an encoded one', 'me%40example.com'],
    ['a name with a space', 'caf%C3%A9'],
  ])('stops at %s', (_, id) => {
    expect(routeOf(`https://api.test/things/${id}/parts`)).toBe('/things');
  });

  it.each(['v1', 'v2', 'V3', 'v1.1', 'v1_1', '2024-01', '2024-01-01'])('goes on behind the version %s', (version) => {
    expect(routeOf(`https://api.test/${version}/users/42`)).toBe(`/${version}/users`);
  });

  it.each(['users', 'oauth2', 'web-hooks', 'ipv4', 'k8s', 'search.json', 'chat.completions'])('goes on behind the word %s', (word) => {
    expect(routeOf(`https://api.test/${word}/list`)).toBe(`/${word}/list`);
  });

  it('reads neither query nor fragment, whatever they hold', () => {
    for (const rest of ['?next=/users/42', '#/users/42', '?a=1#b', '?a=\n/b', '#a\n/b'])
      expect(routeOf(`https://api.test/busy${rest}`)).toBe('/busy');
  });

  it('takes repeated slashes for one', () => {
    expect(routeOf('https://api.test//a///b/42')).toBe('/a/b');
  });

  it('puts the requests for things of one kind on one route', () => {
    const routes = Array.from({ length: 500 }, (_, n) => routeOf(`https://api.test/v2/builds/${n}/screenshots/${n}.png`));
    expect(new Set(routes)).toEqual(new Set(['/v2/builds']));
  });
});
