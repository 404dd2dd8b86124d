import { describe, expect, it } from 'vitest';
import { pacer } from 'coldfetch';
import { buildClient } from 'coldfetch/node';
import { type ScriptedReply, reply, scriptedFetch } from 'coldfetch/testing';
import { type ExplainStep, parseExplainScript } from '../../../src/cli/explain/parseExplainScript.js';
import { buildTarget } from '../../../src/node/upload/build/buildTarget.js';
import { virtualTime } from '../../../src/simulate/virtualTime.js';
import { explain } from './support.js';

/** Send times of the request that completes an upload, where a script answers it. */
function uploaded(script: string): number[] {
  const server = scriptedFetch(parseExplainScript(script).map(answerOf));
  virtualTime(() => {
    // The client of the command, but for the draws.
    const http = buildClient({ token: 'secret', fetch: server, pace: pacer({ initial: 6, random: () => 0.5 }) });
    const part = { index: 1, total: 1, files: [], images: [], uploadId: 'u', resumable: false };
    const target = buildTarget(http, { commit: 'c'.repeat(40), branch: 'main' });
    target.complete(part, { id: '1', url: 'https://app.test/builds/1' }).subscribe({ error: () => undefined });
  });
  return server.requests.map(({ at }) => at);
}

function answerOf({ answer }: ExplainStep): ScriptedReply {
  if (answer.type !== 'status') return answer.type === 'network' ? 'network' : 'hang';
  return reply(answer.status, { headers: answer.headers, json: {} });
}

describe('explain --policy upload', () => {
  it.each([
    ['429{retry-after:300} 200', [0, 60_000]],
    ['429 429 200', [0, 1000, 3000]],
    ['429*6', [0, 1000, 3000, 7000, 15_000, 31_000]],
    ['429{retry-after:2} 503 network hang 200', [0, 2000, 3000, 5000, 39_000]],
    ['429{retry-after:0}*2 200', [0, 0, 2000]],
    ['503{retry-after:9} 429 200', [0, 1000, 2000]],
    ['429{ratelimit:"\\"w\\";r=0;t=300"} 200', [0, 300_375]],
    ['429{ratelimit:"\\"w\\";r=0;t=3600"} 200', [0, 3_600_375]],
    ['404', [0]],
  ])('foretells what an upload does: %s', async (script, hits) => {
    const { stdout } = await explain(['--policy', 'upload', '--method', 'PUT', '--json', script]);
    expect(JSON.parse(stdout)).toMatchObject({ hits });
    expect(uploaded(script)).toEqual(hits);
  });
});
