/** An application on Node, as the compilers of users see it. */
import { createClient, type HttpEvent, httpCache } from 'coldfetch';
import { fileBody, fileCache, multipartBody, recorder, screenshots, uploadBuild } from 'coldfetch/node';
import { tracing } from 'coldfetch/opentelemetry';
import { connectRedis, sharedLimiter } from 'coldfetch/redis';
import { type RunningServer, startServer } from 'coldfetch/server';
import { undici } from 'coldfetch/undici';
import type { Observable } from 'rxjs';

export async function main(): Promise<void> {
  const server: RunningServer = await startServer({ limit: { requests: 10, windowMs: 1000 } });
  const { client, close } = await connectRedis('redis://127.0.0.1:6379');
  const pace = sharedLimiter({ client, name: 'shots' });
  const http = createClient({
    baseUrl: server.url,
    pace,
    cache: httpCache({ store: fileCache('cache') }),
    fetch: recorder('raw'),
    ...tracing(),
  });
  const sent$: Observable<HttpEvent> = http.put('file', fileBody('file.png'), { observe: 'events' });
  const form$: Observable<string> = http.post('form', multipartBody({ a: '1' }, { path: 'file.png' }), { responseType: 'text' });
  sent$.subscribe((event) => console.log(event.type));
  form$.subscribe((text) => console.log(text.length));
  console.log(screenshots, uploadBuild, createClient({ transport: undici() }));
  pace.close();
  await close();
  await server.close();
}
