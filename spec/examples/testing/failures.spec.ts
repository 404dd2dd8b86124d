import { it } from 'vitest';
import { NetworkError, TimeoutError } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';

it('tells an answer from a lost connection and from silence', () =>
  marbles(({ server, client, expect$ }) => {
    const http = client({ retry: false, timeout: 10_000 });
    server.on('GET /missing', [reply(404, { json: { error: 'no such user' } })]);
    server.on('GET /lost', '5ms #');
    server.on('GET /silent', ['hang']);

    expect$(http.get('/missing')).toFailWith({ status: 404, body: { error: 'no such user' } });
    expect$(http.get('/lost')).toFailWith(NetworkError);
    expect$(http.get('/silent')).toFailWith(TimeoutError);
  }));
