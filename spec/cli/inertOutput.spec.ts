import { describe, expect, it } from 'vitest';
import { inertJson, inertLine } from '../../src/cli/inertOutput.js';

describe('inertLine', () => {
  it.each([
    ['::error::no', '\\x3a:error::no'],
    ['fine\n  ::set-output name=a::b', 'fine\n  \\x3a:set-output name=a::b'],
    ['failed: ##[error]no', 'failed: \\x23#[error]no'],
    ['failed: ###[x]', 'failed: #\\x23#[x]'],
    ['failed: ##vso[task.setvariable variable=a]b', 'failed: \\x23#vso[task.setvariable variable=a]b'],
    ["##teamcity[blockOpened name='a']", "\\x23#teamcity[blockOpened name='a']"],
  ])('gives no CI service a command: %j', (text, shown) => {
    expect(inertLine(text)).toBe(shown);
  });

  it.each(['a::b', '## heading', 'issue #[1]'])('leaves %j as it is', (text) => {
    expect(inertLine(text)).toBe(text);
  });
});

describe('inertJson', () => {
  it('means the same value', () => {
    const value = ['##[error]', '##VSO[task.complete]'];
    const json = inertJson(JSON.stringify(value));
    expect(json).not.toMatch(/##(\[|vso)/i);
    expect(JSON.parse(json)).toEqual(value);
  });
});
