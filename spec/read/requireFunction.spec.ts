import { describe, expect, it } from 'vitest';
import { linkPages, paginate, serverSentEvents, UsageError } from 'coldfetch';

describe('a reader without its function', () => {
  it.each<[string, () => unknown]>([
    ['paginate: fetchPage is undefined; give a function', () => paginate(undefined as never)],
    ["linkPages: the source's get is undefined; give a client, or a function", () => linkPages(undefined as never, 'https://api.test/')],
    ["linkPages: the source's get is undefined; give a client, or a function", () => linkPages({} as never, 'https://api.test/')],
    ['linkPages: the URL is undefined; give that of the first page', () => linkPages(() => [], undefined as never)],
    ['serverSentEvents: connect is undefined; give a function', () => serverSentEvents(undefined as never)],
  ])('is refused at the call, in one line: %s', (problem, make) => {
    expect(make).toThrow(UsageError);
    expect(make).toThrow(problem);
    expect(make).not.toThrow(/\n/);
  });
});
