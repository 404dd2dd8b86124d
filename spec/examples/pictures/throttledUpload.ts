import { createClient, pacer, policies } from 'coldfetch';
import { reply, scriptedFetch, type ScriptedReply } from 'coldfetch/testing';
import { renderSvg, timelineRecorder } from 'coldfetch/timeline';
import { from, mergeMap } from 'rxjs';
import { fixedWindow } from '../../../src/simulate/servers.js';
import { virtualTime } from '../../../src/simulate/virtualTime.js';

const FILES = ['home.png', 'login.png', 'search.png', 'cart.png', 'checkout.png', 'profile.png'];

/** Six screenshots, three at a time, to an API that takes four requests in ten seconds and says so only when it is too late. */
export function throttledUploadPicture(): string {
  const limit = fixedWindow({ limit: 4, window: 10_000 });
  const latencies = [420, 650, 300, 520, 380, 460, 340, 400, 560, 360, 480, 440];
  const answers = latencies.map((delay): ScriptedReply => {
    return ({ at }) => {
      const { status, headers } = limit(at);
      return status === 429
        ? reply(status, { headers: { 'retry-after': headers['retry-after'] ?? '' }, delay: 90 })
        : reply(status, { delay });
    };
  });
  const recorder = timelineRecorder();
  const http = createClient({
    baseUrl: 'https://uploads.example.com',
    fetch: scriptedFetch(answers),
    retry: policies.upload,
    pace: pacer({ random: () => 0.5 }),
    interceptors: [recorder.interceptor],
  });
  virtualTime(() => {
    from(FILES)
      .pipe(mergeMap((file) => http.put(`/${file}`, new Uint8Array(1024), { responseType: 'text' }), 3))
      .subscribe();
  });
  return renderSvg(recorder.timeline(), { title: '6 screenshots, 4 requests in 10 s' });
}
