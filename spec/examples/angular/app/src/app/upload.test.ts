import { map } from 'rxjs';
import { marbles, reply } from 'coldfetch/testing';
import { Upload } from './upload';

describe('Upload', () => {
  it('shows the wait that the server asks for, and is done in the end', () =>
    marbles(({ server, http, cold, expect$ }) => {
      server.on('POST /photos', '5ms a 5ms b', { a: reply(429, { headers: { 'retry-after': '12' } }), b: reply(200) });
      const upload = new Upload(new File(['fog'], 'fog.jpg'));
      upload.send(http, 'Harbour').subscribe();
      const seen$ = cold('-a 1s a 12s a').pipe(map(() => [upload.state(), upload.wait()?.delay]));
      expect$(seen$).toBeMarbles('-a 1s b 12s c', { a: ['sending', undefined], b: ['sending', 12_000], c: ['done', undefined] });
    }));

  it('fails where waiting mends nothing', () =>
    marbles(({ server, http, cold, expect$ }) => {
      server.on('POST /photos', '5ms a', { a: reply(403) });
      const upload = new Upload(new File(['fog'], 'fog.jpg'));
      expect$(upload.send(http, 'Harbour').pipe(map(({ type }) => type))).toBeMarbles('(ab) - (cd|)', {
        a: 'sent',
        b: 'upload',
        c: 'headers',
        d: 'gave-up',
      });
      expect$(cold('10ms a').pipe(map(() => upload.state()))).toBeMarbles('10ms a', { a: 'failed' });
    }));
});
