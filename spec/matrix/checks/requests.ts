import { asFetch, coldFetch, createClient, eachEvent, HttpRequest, type Interceptor } from 'coldfetch';
import { asFetch as bareFetch, createClient as bareClient } from 'coldfetch/core';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { same, valuesOf } from './assert.js';
import type { Check } from './Check.js';

const ADA = { id: 1, name: 'Ada' };

/** Requests and their answers. */
export const requests: readonly Check[] = [
  {
    name: 'get gives the JSON of the answer',
    run: async (serve) => {
      const { url } = await serve({ json: ADA });
      same(await lastValueFrom(createClient({ baseUrl: url }).get('/users/1')), ADA);
    },
  },
  {
    name: 'coldfetch/core sends and retries',
    run: async (serve) => {
      const { url, log } = await serve({ status: 429, headers: { 'retry-after': '0' } }, { json: ADA });
      same(await lastValueFrom(bareClient({ baseUrl: url }).get('/users/1')), ADA);
      same(await (await bareFetch()(`${url}/users/1`)).json(), ADA);
      same((await log()).requests.length, 3);
    },
  },
  {
    name: 'nothing is sent before somebody subscribes, and each subscription sends',
    run: async (serve) => {
      const { url, log } = await serve({ json: ADA });
      const ada$ = createClient({ baseUrl: url }).get('/users/1');
      same((await log()).requests.length, 0);
      await lastValueFrom(ada$);
      await lastValueFrom(ada$);
      same((await log()).requests.length, 2);
    },
  },
  {
    name: 'HEAD, 204 and an empty body give null',
    run: async (serve) => {
      const { url } = await serve({ json: ADA }, { status: 204 }, { text: '' });
      const http = createClient({ baseUrl: url });
      same(await lastValueFrom(http.head('/')), null);
      same(await lastValueFrom(http.delete('/')), null);
      same(await lastValueFrom(http.get('/')), null);
    },
  },
  {
    name: 'post sends JSON',
    run: async (serve) => {
      const { url, log } = await serve({ status: 201, json: ADA });
      same(await lastValueFrom(createClient({ baseUrl: url }).post('/users', { name: 'Ada' })), ADA);
      const [request] = (await log()).requests;
      same([request?.method, request?.text, request?.headers['content-type']], ['POST', '{"name":"Ada"}', 'application/json']);
    },
  },
  {
    name: 'every method arrives as such',
    run: async (serve) => {
      const { url, log } = await serve({ status: 204 });
      const http = createClient({ baseUrl: url });
      for (const one of [http.get('/'), http.put('/', 1), http.patch('/', 1), http.delete('/'), http.request('POST', '/')])
        await lastValueFrom(one);
      same(
        (await log()).requests.map(({ method }) => method),
        ['GET', 'PUT', 'PATCH', 'DELETE', 'POST'],
      );
    },
  },
  {
    name: 'parameters are added to those of the URL and of the base',
    run: async (serve) => {
      const { url, log } = await serve({ json: ADA });
      const http = createClient({ baseUrl: `${url}/v1?key=1` });
      await lastValueFrom(http.get('users?a=1', { params: { q: 'x y', none: undefined } }));
      await lastValueFrom(http.get('users', { params: new URLSearchParams('t=1&t=2') }));
      same(
        (await log()).requests.map(({ path }) => path.replace('%20', '+')),
        ['/v1/users?key=1&a=1&q=x+y', '/v1/users?key=1&t=1&t=2'],
      );
    },
  },
  {
    name: 'header fields come from the client, a function and the request',
    run: async (serve) => {
      const { url, log } = await serve({ json: ADA });
      let token = 0;
      const http = createClient({ baseUrl: url, headers: () => ({ 'x-token': String((token += 1)) }) });
      await lastValueFrom(http.get('/'));
      await lastValueFrom(http.get('/', { headers: { 'x-own': 'yes' } }));
      same(
        (await log()).requests.map(({ headers }) => [headers['x-token'], headers['x-own']]),
        [
          ['1', undefined],
          ['2', 'yes'],
        ],
      );
    },
  },
  {
    name: 'a body is read as text, bytes, an ArrayBuffer or a Blob',
    run: async (serve) => {
      const { url } = await serve({ text: 'été' });
      const http = createClient({ baseUrl: url });
      same(await lastValueFrom(http.get('/', { responseType: 'text' })), 'été');
      same((await lastValueFrom(http.get('/', { responseType: 'bytes' }))).length, 5);
      same((await lastValueFrom(http.get('/', { responseType: 'arrayBuffer' }))).byteLength, 5);
      same((await lastValueFrom(http.get('/', { responseType: 'blob' }))).size, 5);
    },
  },
  {
    name: 'a body is read as a form',
    run: async (serve) => {
      const { url } = await serve({ text: 'a=1&b=2', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
      const form = await lastValueFrom(createClient({ baseUrl: url }).get('/', { responseType: 'formData' }));
      same([form.get('a'), form.get('b')], ['1', '2']);
    },
  },
  {
    name: 'a multipart body is read as a form, files included',
    run: async (serve) => {
      const part = (head: string, text: string): string => `--line\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
      const text = `${part('name="a"', '1')}${part('name="file"; filename="f.txt"', 'text')}--line--\r\n`;
      const { url } = await serve({ text, headers: { 'content-type': 'multipart/form-data; boundary=line' } });
      const form = await lastValueFrom(createClient({ baseUrl: url }).get('/', { responseType: 'formData' }));
      const file = form.get('file');
      same([form.get('a'), file instanceof File && file.name, file instanceof File && (await file.text())], ['1', 'f.txt', 'text']);
    },
  },
  {
    name: 'a stream is handed over before it has ended',
    run: async (serve) => {
      const { url } = await serve({ chunks: ['one', 'two'], missing: 'end' });
      const stream = await firstValueFrom(createClient({ baseUrl: url }).get('/', { responseType: 'stream' }));
      const reader = stream?.getReader();
      const first = await reader?.read();
      same(new TextDecoder().decode(first?.value).slice(0, 3), 'one');
      await reader?.cancel();
    },
  },
  {
    name: 'the response has status and header fields',
    run: async (serve) => {
      const { url } = await serve({ status: 203, json: ADA, headers: { 'x-seen': 'yes' } });
      const response = await lastValueFrom(createClient({ baseUrl: url }).get('/', { observe: 'response' }));
      same([response.status, response.headers.get('x-seen'), response.body], [203, 'yes', ADA]);
    },
  },
  {
    name: 'events come in their order',
    run: async (serve) => {
      const { url } = await serve({ status: 503 }, { json: ADA });
      const events = await valuesOf(createClient({ baseUrl: url, retry: { retries: 1 } }).get('/', { observe: 'events' }));
      const types = events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
      same(types, ['sent', 'headers', 'wait', 'sent', 'headers', 'download', 'response']);
    },
  },
  {
    name: 'a download tells its progress',
    run: async (serve) => {
      const { url } = await serve({ chunks: ['a'.repeat(1000), 'b'.repeat(1000)], headers: { 'content-length': '2000' } });
      const events = await valuesOf(createClient({ baseUrl: url }).get('/', { observe: 'events', responseType: 'text' }));
      const downloads = events.flatMap((event) => (event.type === 'download' ? [[event.loaded, event.total]] : []));
      same(downloads.at(-1), [2000, 2000]);
    },
  },
  {
    name: 'a client of a client has the options of both',
    run: async (serve) => {
      const { url, log } = await serve({ json: ADA });
      const http = createClient({ baseUrl: url, headers: { 'x-a': '1', 'x-b': '1' } }).extend({ headers: { 'x-b': null, 'x-c': '1' } });
      await lastValueFrom(http.get('/'));
      const [request] = (await log()).requests;
      same([request?.headers['x-a'], request?.headers['x-b'], request?.headers['x-c']], ['1', undefined, '1']);
    },
  },
  {
    name: 'interceptors see the request and the answer, attempt interceptors each attempt',
    run: async (serve) => {
      const { url, log } = await serve({ status: 503 }, { json: ADA });
      let calls = 0;
      const once: Interceptor = (request, next) => next(request.clone({ setHeaders: { 'x-once': String((calls += 1)) } }));
      const each: Interceptor = (request, next) => next(request.clone({ setHeaders: { 'x-each': String((calls += 1)) } }));
      await lastValueFrom(createClient({ baseUrl: url, interceptors: [once], attemptInterceptors: [each] }).get('/'));
      same(
        (await log()).requests.map(({ headers }) => [headers['x-once'], headers['x-each']]),
        [
          ['1', '2'],
          ['1', '3'],
        ],
      );
    },
  },
  {
    name: 'a request value is sent along the whole pipeline',
    run: async (serve) => {
      const { url } = await serve({ json: ADA });
      const event = await lastValueFrom(createClient().request(new HttpRequest('GET', `${url}/users/1`)));
      same(event.type === 'response' && event.body, ADA);
    },
  },
  {
    name: 'coldFetch gives a Response, or what its selector makes of it',
    run: async (serve) => {
      const { url } = await serve({ json: ADA });
      same((await lastValueFrom(coldFetch(url))).status, 200);
      same(await lastValueFrom(coldFetch(url, { selector: (response) => response.json() })), ADA);
    },
  },
  {
    name: 'asFetch is a fetch that retries',
    run: async (serve) => {
      const { url } = await serve({ status: 503 }, { json: ADA });
      const response = await asFetch()(url, { headers: { 'x-a': '1' } });
      same([response instanceof Response, response.ok, await response.json()], [true, true, ADA]);
    },
  },
  {
    name: 'events can be iterated over, and left',
    run: async (serve) => {
      const { url, logWhen } = await serve({ chunks: ['a', 'b'], missing: 'end' });
      const http = createClient({ baseUrl: url });
      for await (const event of eachEvent(http.get('/', { observe: 'events', responseType: 'text' }))) {
        if (event.type === 'download') break;
      }
      await logWhen(({ requests: [first] }) => first?.abandoned === true);
    },
  },
];
