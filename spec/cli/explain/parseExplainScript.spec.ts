import { describe, expect, it } from 'vitest';
import { UsageError } from 'coldfetch';
import { parseExplainScript } from '../../../src/cli/explain/parseExplainScript.js';
import { explain } from './support.js';

const status = (code: number, headers = {}, latency?: number) => ({ answer: { type: 'status', status: code, headers }, latency });

describe('a script of answers', () => {
  it.each([
    ['429 200', [status(429), status(200)]],
    ['  503 \n 200 ', [status(503), status(200)]],
    ['429{retry-after:30}', [status(429, { 'retry-after': '30' })]],
    ['429{ Retry-After : 30 , x-a: b c }', [status(429, { 'retry-after': '30', 'x-a': 'b c' })]],
    ['429{retry-after:"Thu, 01 Jan 1970 00:00:30 GMT"}', [status(429, { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' })]],
    ['429{ratelimit:"a";r=0;t=30}', [status(429, { ratelimit: '"a";r=0;t=30' })]],
    ['429{ratelimit:"\\"a\\";r=0, \\"b\\";r=1"}', [status(429, { ratelimit: '"a";r=0, "b";r=1' })]],
    ['429{x:}', [status(429, { x: '' })]],
    ['429{}', [status(429)]],
    ['hang network stall', [{ answer: { type: 'hang' } }, { answer: { type: 'network' } }, { answer: { type: 'stall' } }]],
    ['429{a:1,A:2,b:3}', [status(429, { a: '1, 2', b: '3' })]],
    ['429{x-rate-limit-reset:3,x-retry-after:3}', [status(429, { 'x-rate-limit-reset': '3', 'x-retry-after': '3' })]],
    ['200ms:503 1.5s:200', [status(503, {}, 200), status(200, {}, 1500)]],
    ['503*2 200', [status(503), status(503), status(200)]],
  ])('reads %j', (script, steps) => {
    expect(parseExplainScript(script)).toEqual(steps);
  });

  it('repeats without a count as often as it is asked', () => {
    expect(parseExplainScript('503*')).toHaveLength(1000);
  });

  it.each([
    ['429 four 200', '    ^^^^', '"four" is not an answer: write a status from 200 to 599, hang, stall or network'],
    ['429 100', '    ^^^', '"100" is not an answer'],
    ['429 {a:1}', '    ^', 'Header fields follow their status without a space'],
    ['{a:1}', '^', 'An answer belongs here'],
    ["'429'", '^^^^^', 'Answers stand without quotes'],
    ['503,200', '^^^^^^^', 'put spaces between answers'],
    ['429{retry-after}', '    ^^^^^^^^^^^', 'The header field retry-after has no value: write {retry-after:value}'],
    ['429{retry-after:30', '   ^', 'This brace is never closed: add "}"'],
    ['429{retry-after:30 200', '   ^', 'This brace is never closed: add "}"'],
    ['429{a:1,', '   ^', 'This brace is never closed'],
    ['429{a:"1}', '      ^', 'This quote is never closed: add another "'],
    ['429{retry after:1}', '          ^', 'The name of a header field is one word'],
    ['429{r\u00e9try:1}', '     ^', 'The name of a header field is one word'],
    ['429{retryafter:1}', '    ^^^^^^^^^^', 'No policy reads a field retryafter: did you mean retry-after?'],
    ['429{Retry_After:1}', '    ^^^^^^^^^^^', 'did you mean retry-after?'],
    ['429{retry-atfer:1}', '    ^^^^^^^^^^^', 'did you mean retry-after?'],
    ['429{x-ratelimit-rset:1}', '    ^^^^^^^^^^^^^^^^', 'did you mean x-ratelimit-reset?'],
    ['429{a:Thu, 01 Jan}', '              ^', 'a value with a comma stands in double quotes'],
    ['429{:1}', '    ^', 'A header field has a name here'],
    ['hang{a:1}', '    ^', 'hang has no header fields: only a status has'],
    ['soon:503', '^^^^', '"soon" is not a time: write it as in 200ms:503'],
    ['503*many', '    ^^^^', 'How often is a whole number from 1 to 1000'],
    ['503*0', '    ^', 'How often is a whole number'],
    ['503*2000 200', '    ^^^^', 'How often is a whole number'],
    ['429 503* 200 200', '         ^^^^^^^', 'Nothing after 503* is ever asked for: say how often, as in 503*3'],
    ['429{a:1}200', '        ^', 'A space belongs between two answers'],
    ['200:503', '^^^', '"200" is not a time'],
    ['429{a:\u20ac}', '      ^', 'The value of a cannot be sent'],
    ['', '^', 'The script is empty'],
  ])('points at the mistake in %j', (script, carets, message) => {
    const failure = ((): unknown => {
      try {
        return parseExplainScript(script);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(UsageError);
    const [first, line, under] = (failure as Error).message.split('\n');
    expect(first).toContain(message);
    expect([line, under]).toEqual([`  ${script}`, `  ${carets}`]);
  });

  it('refuses more answers than anybody reads', () => {
    expect(() => parseExplainScript('429*1000 '.repeat(11))).toThrow(/^The script is too long: leave it at 10000 answers\n.*429\*1000/);
    expect(parseExplainScript('429*1000 '.repeat(10))).toHaveLength(10_000);
  });

  it('shows the part of a long script that is wrong', () => {
    const script = `${'503 '.repeat(60)}oops ${'503 '.repeat(60)}200`;
    const lines = ((): string[] => {
      try {
        return [String(parseExplainScript(script).length)];
      } catch (error) {
        return (error as Error).message.split('\n');
      }
    })();
    expect(lines[1]?.indexOf('oops')).toBe(lines[2]?.indexOf('^^^^'));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('is refused by the command with the mistake under a caret', async () => {
    expect(await explain(['429 four 200'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'coldfetch: "four" is not an answer: write a status from 200 to 599, hang, stall or network\n  429 four 200\n      ^^^^\n',
    });
  });
});
