import { TestBed } from '@angular/core/testing';
import { map } from 'rxjs';
import { marbles, reply } from 'coldfetch/testing';
import { UploadQueue } from './upload-queue';
import { UPLOADS } from './uploads-client';

const files = ['mole.jpg', 'crane.jpg', 'fog.jpg'].map((name) => new File([name], name));

describe('UploadQueue', () => {
  it('sends two files at a time', () =>
    marbles(({ server, http, expect$ }) => {
      server.on('POST /photos', '1s a 1s a 1s a', { a: reply(200) });
      TestBed.configureTestingModule({ providers: [UploadQueue, { provide: UPLOADS, useValue: http }] });
      TestBed.inject(UploadQueue).add(files, 'Harbour');
      expect$(server).toHaveRequests('(ab) 996ms c', {
        a: 'POST /photos?name=mole.jpg&album=Harbour',
        b: 'POST /photos?name=crane.jpg&album=Harbour',
        c: 'POST /photos?name=fog.jpg&album=Harbour',
      });
    }));

  it('aborts what is in flight and forgets what is queued when all is cancelled', () =>
    marbles(({ server, http, cold, expect$ }) => {
      server.on('POST /photos', '1s a 1s a', { a: reply(200) });
      TestBed.configureTestingModule({ providers: [UploadQueue, { provide: UPLOADS, useValue: http }] });
      const queue = TestBed.inject(UploadQueue);
      queue.add(files, 'Harbour');
      expect$(cold('100ms a').pipe(map(() => (queue.cancelAll(), queue.open())))).toBeMarbles('100ms a', { a: 0 });
      expect$(server).toHaveRequests('(ab)', { a: { abortedAt: 100 }, b: { abortedAt: 100 } });
    }));

  it('aborts what is in flight when its component is left', () =>
    marbles(({ server, http, cold, expect$ }) => {
      server.on('POST /photos', '1s a', { a: reply(200) });
      TestBed.configureTestingModule({ providers: [UploadQueue, { provide: UPLOADS, useValue: http }] });
      TestBed.inject(UploadQueue).add(files.slice(0, 1), 'Harbour');
      cold('100ms a').subscribe(() => TestBed.resetTestingModule());
      expect$(server).toHaveRequests('a', { a: { abortedAt: 100 } });
    }));
});
