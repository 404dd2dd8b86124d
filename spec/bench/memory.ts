import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GIB = 2 ** 30;

/** Peak memory of a process that PUTs a 1 GiB file: by `coldFetch` with `fileBody`, and by bare `fetch` with a Blob of the file. */
export async function memory(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'coldfetch-bench-'));
  const file = join(folder, 'big.bin');
  const handle = await open(file, 'w');
  await handle.truncate(GIB);
  await handle.close();
  let received = 0;
  const server = createServer((request, response) => {
    received = 0;
    request.on('data', (chunk: Buffer) => (received += chunk.byteLength)).on('end', () => response.end(String(received)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/big`;
  console.log('peak memory of a process that PUTs a 1 GiB file:');
  for (const way of ['coldFetch', 'fetch']) {
    const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(new URL('putFile.ts', import.meta.url)), way, url, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += String(chunk)));
    await once(child, 'close');
    console.log(
      `  ${way.padEnd(10)} ${printed.trim().padStart(6)} MB   server received ${received === GIB ? 'all of it' : `${received} bytes`}`,
    );
  }
  server.close();
  await rm(folder, { recursive: true });
}
