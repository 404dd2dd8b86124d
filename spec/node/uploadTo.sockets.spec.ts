import { createClient, type HttpClient, type HttpEvent, isUsageError } from 'coldfetch';
import { fileBody, type PreparedUpload, screenshots, type UploadFile, type UploadPart, type UploadTarget, uploadTo } from 'coldfetch/node';
import { concat, defer, EMPTY, finalize, firstValueFrom, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { bodyOf, loopback } from '../support/loopback.js';
import { all, folderOf, only } from './support.js';

const response = (): HttpEvent => ({ type: 'response', attempt: 1, status: 200, headers: new Headers(), url: '', body: null });

/** A target that notes its calls, and takes everything. */
function noting(changes: Partial<UploadTarget<string>> = {}): { readonly target: UploadTarget<string>; readonly calls: string[] } {
  const calls: string[] = [];
  const address = ({ key, name }: UploadFile): string => (changes.addressing === 'content' ? key : name);
  const prepared = ({ images }: UploadPart): PreparedUpload<string> => ({
    type: 'prepared',
    build: { id: 'b', url: 'https://target.test/b' },
    permits: new Map(images.map((file) => [address(file), `permit for ${file.name}`])),
  });
  const note = <T>(call: string, answer$: Observable<T>): Observable<T> =>
    defer(() => {
      calls.push(call);
      return answer$;
    });
  const target: UploadTarget<string> = {
    addressing: 'name',
    prepare: (part) => note(`prepare ${part.index}/${part.total}: ${part.images.map(({ name }) => name).join()}`, of(prepared(part))),
    send: ({ name }, permit) => note(`send ${name} by ${permit}`, of(response())),
    complete: ({ index, files }, { id }) => note(`complete ${index} of ${id}: ${files.map(({ name }) => name).join()}`, of(response())),
    ...changes,
  };
  return { target, calls };
}

/** Files under their names on a server that knows no builds. */
function putTarget(http: HttpClient, url: string): UploadTarget<undefined> {
  return {
    addressing: 'name',
    prepare: ({ images }) =>
      of({ type: 'prepared', build: { id: 'archive', url }, permits: new Map(images.map(({ name }) => [name, undefined])) }),
    send: ({ name, path, contentType, stamp }) =>
      http.put(`${url}/${name}`, fileBody(path, { type: contentType, stamp }), { observe: 'events', responseType: 'text' }),
    complete: () => EMPTY,
  };
}

const folder = (...names: string[]): Promise<string> => folderOf(Object.fromEntries(names.map((name) => [name, `bytes of ${name}`])));

describe('uploadTo', () => {
  it('prepares, sends each file by its permit, completes', async () => {
    const { target, calls } = noting();
    const events = await all(uploadTo(target, screenshots(await folder('a.png', 'b.png')), { concurrency: 1 }));
    expect(calls).toEqual([
      'prepare 1/1: a.png,b.png',
      'send a.png by permit for a.png',
      'send b.png by permit for b.png',
      'complete 1 of b: a.png,b.png',
    ]);
    expect(events.map(({ type }) => type)).toEqual(['hashed', 'hashed', 'created', 'done', 'done', 'completed', 'summary']);
    expect(only(events, 'summary')).toMatchObject([{ completed: true, arrived: 2, build: { id: 'b' } }]);
  });

  it('puts files under their names on a server that knows no builds', async () => {
    const stored = new Map<string | undefined, string>();
    const { url } = await loopback((request, answer) => {
      void bodyOf(request).then((body) => {
        stored.set(request.url, body);
        answer.end();
      });
    });
    await all(uploadTo(putTarget(createClient(), url), screenshots(await folder('a.png', 'b/c.png'))));
    expect(stored).toEqual(
      new Map([
        ['/a.png', 'bytes of a.png'],
        ['/b/c.png', 'bytes of b/c.png'],
      ]),
    );
  });

  it.each([
    ['name', ['send a.png by permit for a.png', 'send b.png by permit for b.png']],
    ['content', ['send a.png by permit for a.png']],
  ] as const)('sends equal bytes as a target that addresses by %s asks', async (addressing, sent) => {
    const { target, calls } = noting({ addressing });
    const files = screenshots(await folderOf({ 'a.png': 'same', 'b.png': 'same' }));
    const events = await all(uploadTo(target, files, { concurrency: 1 }));
    expect(calls.filter((call) => call.startsWith('send'))).toEqual(sent);
    expect(only(events, 'done').map(({ path }) => path)).toEqual(['a.png', 'b.png']);
  });

  it('asks in parts, each as soon as its files are read', async () => {
    const { target, calls } = noting({ partSize: 2 });
    const events = await all(uploadTo(target, screenshots(await folder('a.png', 'b.png', 'c.png', 'd.png', 'e.png')), { concurrency: 1 }));
    expect(calls.filter((call) => !call.startsWith('send'))).toEqual([
      ...['prepare 1/3: a.png,b.png', 'prepare 2/3: c.png,d.png', 'prepare 3/3: e.png'],
      ...['complete 1 of b: a.png,b.png', 'complete 2 of b: c.png,d.png', 'complete 3 of b: e.png'],
    ]);
    expect(only(events, 'created').map(({ part, parts, missing }) => [part, parts, missing])).toEqual([
      [1, 3, 2],
      [2, 3, 2],
      [3, 3, 1],
    ]);
    expect(only(events, 'summary')).toMatchObject([{ completed: true, arrived: 5 }]);
  });

  it('asks for a part when few images of those before wait to be sent', async () => {
    const { target, calls } = noting({ partSize: 600, send: () => NEVER });
    const [file] = await all(screenshots(await folder('a.png')));
    const files = Array.from({ length: 1_200 }, (_, index) => ({ path: '', contentType: '', ...file, name: `${index}` }));
    const read$ = new Subject<void>();
    const upload = uploadTo(target, files, { concurrency: 100 }).subscribe((event) => {
      if (event.type === 'hashed' && event.hashed === files.length) queueMicrotask(() => read$.next());
    });
    await firstValueFrom(read$);
    expect(calls.map((call) => call.slice(0, 11))).toEqual(['prepare 1/2']);
    upload.unsubscribe();

    const quick = noting({ partSize: 600 });
    await all(uploadTo(quick.target, files));
    expect(quick.calls.filter((call) => call.startsWith('prepare')).map((call) => call.slice(0, 11))).toEqual([
      'prepare 1/2',
      'prepare 2/2',
    ]);
  });

  it('sends files of one part while those of others are still read', async () => {
    const { target } = noting({ partSize: 1 });
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.png`, 1_000_000]));
    const types = (await all(uploadTo(target, screenshots(await folderOf(files))))).map(({ type }) => type);
    expect(types.indexOf('done')).toBeLessThan(types.lastIndexOf('hashed'));
  });

  it('sends equal bytes of two parts once, and tells the second name when they have arrived', async () => {
    const { target, calls } = noting({ addressing: 'content', partSize: 1 });
    const events = await all(uploadTo(target, screenshots(await folderOf({ 'a.png': 'same', 'b.png': 'same' }))));
    expect(calls).toEqual([
      ...['prepare 1/2: a.png', 'send a.png by permit for a.png', 'prepare 2/2: ', 'complete 1 of b: a.png', 'complete 2 of b: b.png'],
    ]);
    expect(only(events, 'done').map(({ path, how }) => [path, how])).toEqual([
      ['a.png', 'sent'],
      ['b.png', 'duplicate'],
    ]);
  });

  it('tells a failure for the names of later parts, too', async () => {
    const { target } = noting({ addressing: 'content', partSize: 1, send: () => throwError(() => new Error('no')) });
    const events = await all(uploadTo(target, screenshots(await folderOf({ 'a.png': 'same', 'b.png': 'same' }))));
    expect(only(events, 'failed').map(({ path, reason }) => [path, reason])).toEqual([
      ['a.png', 'no'],
      ['b.png', 'no'],
    ]);
  });

  it('keeps what the target has', async () => {
    const build = { id: 'b', url: '' };
    const { target, calls } = noting({ prepare: () => of({ type: 'prepared', build, permits: new Map([['b.png', 'p']]) }) });
    const events = await all(uploadTo(target, screenshots(await folder('a.png', 'b.png'))));
    expect(calls[0]).toBe('send b.png by p');
    expect(only(events, 'done').map(({ path, how }) => [path, how])).toEqual([
      ['a.png', 'kept'],
      ['b.png', 'sent'],
    ]);
  });

  it('renews permits of a part once, where the target says that one has expired', async () => {
    let prepared = 0;
    const { target, calls } = noting({
      prepare: ({ images }) =>
        defer(() => {
          prepared++;
          return of<PreparedUpload<string>>({
            type: 'prepared',
            build: { id: 'b', url: '' },
            permits: new Map(images.map(({ name }) => [name, `${prepared}`])),
          });
        }),
      send: ({ name }, permit) =>
        defer(() => {
          calls.push(`${name} by ${permit}`);
          return permit === '1' ? throwError(() => new Error('expired')) : of(response());
        }),
      isExpired: (error) => error instanceof Error && error.message === 'expired',
    });
    const events = await all(uploadTo(target, screenshots(await folder('a.png', 'b.png')), { concurrency: 1 }));
    expect([prepared, calls.filter((call) => call.includes('by'))]).toEqual([2, ['a.png by 1', 'a.png by 2', 'b.png by 2']]);
    expect(only(events, 'created').map(({ reason }) => reason)).toEqual(['new', 'expired']);
  });

  it('asks for nothing while a file cannot be sent', async () => {
    const { target, calls } = noting({ refuse: ({ name, path }) => (name === 'c.png' ? `${path} is ugly` : undefined), partSize: 1 });
    const dir = await folder('a.png', 'b.png', 'c.png');
    const error = await errorOf(uploadTo(target, screenshots(dir)));
    expect([isUsageError(error) && error.message, calls]).toEqual([`${dir}/c.png is ugly (nothing was sent)`, []]);
  });

  it('fails with the error of prepare, and that of complete', async () => {
    const files = screenshots(await folder('a.png'));
    const broken = new Error('broken');
    const fails = (): Observable<never> => throwError(() => broken);
    expect(await errorOf(uploadTo(noting({ prepare: fails }).target, files))).toBe(broken);
    expect(await errorOf(uploadTo(noting({ complete: fails }).target, files))).toBe(broken);
  });

  it('stops the requests of a target when nobody listens any more', async () => {
    let stopped = 0;
    const hanging$ = NEVER.pipe(finalize(() => stopped++));
    const { target } = noting({ send: () => concat(of<HttpEvent>({ type: 'sent', attempt: 1 }), hanging$) });
    const files = screenshots(await folder('a.png', 'b.png'));
    await new Promise<void>((resolve) => {
      const subscription = uploadTo(target, files, { concurrency: 2 }).subscribe((event) => {
        if (event.type !== 'progress' || event.path !== 'b.png') return;
        queueMicrotask(() => {
          subscription.unsubscribe();
          resolve();
        });
      });
    });
    expect(stopped).toBe(2);
  });
});
