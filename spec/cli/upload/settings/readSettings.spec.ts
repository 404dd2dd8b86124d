import { describe, expect, it } from 'vitest';
import { readSettings, type SettingFlags } from '../../../../src/cli/upload/settings/readSettings.js';
import { folderOf } from '../../../support/folderOf.js';

const COMMIT = 'a'.repeat(40);

async function settingsOf(flags: SettingFlags, env: Record<string, string> = {}, files: Record<string, string> = {}) {
  return readSettings(flags, { env, cwd: await folderOf(files) });
}

const config = (settings: object): Record<string, string> => ({ 'coldfetch.config.json': JSON.stringify(settings) });

describe('readSettings', () => {
  it('believes flags first, then the environment, then the config file', async () => {
    const file = config({ branch: 'file', buildName: 'file', mode: 'monitoring' });
    expect(await settingsOf({ branch: 'flag' }, { COLDFETCH_BRANCH: 'variable', ARGOS_BUILD_NAME: 'variable' }, file)).toEqual({
      branch: { value: 'flag', from: '--branch' },
      buildName: { value: 'variable', from: 'ARGOS_BUILD_NAME' },
      mode: { value: 'monitoring', from: 'mode in coldfetch.config.json' },
    });
  });

  it('prefers the own variable to that of the other client, and counts an empty one as unset', async () => {
    expect(await settingsOf({}, { COLDFETCH_MODE: 'ci', ARGOS_MODE: 'monitoring', COLDFETCH_COMMIT: '', ARGOS_COMMIT: COMMIT })).toEqual({
      mode: { value: 'ci', from: 'COLDFETCH_MODE' },
      commit: { value: COMMIT, from: 'ARGOS_COMMIT' },
    });
  });

  it('reads each variable of the other client', async () => {
    const env = {
      ...{
        ARGOS_API_BASE_URL: 'https://argos.test/v2/',
        ARGOS_COMMIT: COMMIT,
        ARGOS_BRANCH: 'main',
        ARGOS_BUILD_NAME: 'web',
        ARGOS_MODE: 'ci',
      },
      ...{ ARGOS_PARALLEL: 'true', ARGOS_PARALLEL_NONCE: 'n', ARGOS_PARALLEL_TOTAL: '-1', ARGOS_PARALLEL_INDEX: '2' },
      ...{ ARGOS_REFERENCE_BRANCH: 'dev', ARGOS_REFERENCE_COMMIT: COMMIT, ARGOS_PR_NUMBER: '12', ARGOS_PR_HEAD_COMMIT: COMMIT },
      ...{ ARGOS_MERGE_QUEUE_PRS: '12,13', ARGOS_SUBSET: '1', ARGOS_SKIPPED: 'false', ARGOS_THRESHOLD: '0.25' },
    };
    const settings = await settingsOf({}, env);
    expect(Object.fromEntries(Object.entries(settings).map(([name, found]) => [name, found?.value]))).toEqual({
      ...{ api: 'https://argos.test/v2/', commit: COMMIT, branch: 'main', buildName: 'web', mode: 'ci' },
      ...{ parallel: true, parallelNonce: 'n', parallelTotal: -1, parallelIndex: 2 },
      ...{ referenceBranch: 'dev', referenceCommit: COMMIT, prNumber: 12, prHeadCommit: COMMIT },
      ...{ mergeQueuePrs: [12, 13], subset: true, skipped: false, threshold: 0.25 },
    });
  });

  it('reads numbers, lists and yes or no in a config file', async () => {
    expect(
      await settingsOf(
        {},
        {},
        config({ $schema: 'x', prNumber: 7, include: ['**/*.png'], exclude: 'old/**', subset: true, parallel: false }),
      ),
    ).toMatchObject({
      prNumber: { value: 7 },
      include: { value: ['**/*.png'] },
      exclude: { value: ['old/**'] },
      subset: { value: true },
      parallel: { value: false },
    });
  });

  it('reads the config file that is named', async () => {
    expect(await settingsOf({ config: 'ci/web.json' }, {}, { 'ci/web.json': '{"branch":"dev"}' })).toEqual({
      branch: { value: 'dev', from: 'branch in web.json' },
    });
  });

  it.each<[string, SettingFlags, Record<string, string>, Record<string, string>, string]>([
    ['a flag', { parallelTotal: '0' }, {}, {}, '--parallel-total is "0"; give the number of shards, or -1'],
    ['a variable', {}, { ARGOS_PR_NUMBER: 'x' }, {}, 'ARGOS_PR_NUMBER is "x"; give a whole number, 1 or more'],
    ['yes or no', {}, { ARGOS_SUBSET: 'maybe' }, {}, 'ARGOS_SUBSET is "maybe"; give true or false'],
    [
      'a field of the config file',
      {},
      {},
      config({ threshold: 2 }),
      'threshold in coldfetch.config.json is "2"; give a number from 0 to 1',
    ],
    ['a field that is an object', {}, {}, config({ branch: {} }), 'branch in coldfetch.config.json is {}; give a text, a number'],
    ['a field that nobody reads', {}, {}, config({ brnach: 'x' }), 'has "brnach", which is not a setting; there are api, commit, branch,'],
    ['a token in a file', {}, {}, config({ token: 'secret' }), 'holds a token, where others see it; set COLDFETCH_TOKEN instead'],
    ['a config file that is not JSON', {}, {}, { 'coldfetch.config.json': '{' }, 'coldfetch.config.json is not JSON: '],
    ['a config file that is no object', {}, {}, { 'coldfetch.config.json': '[]' }, 'coldfetch.config.json holds no JSON object'],
    ['a config file that is not there', { config: 'x.json' }, {}, {}, 'x.json cannot be read (ENOENT)'],
    ['pull requests', { mergeQueuePrs: '1,x' }, {}, {}, '--merge-queue-prs is "1,x"; give numbers of pull requests, as 12,13'],
    ['a pattern', { include: [''] }, {}, {}, '--include is [""]; give a pattern such as'],
    ['a mode', { mode: 'fast' }, {}, {}, '--mode is "fast"; give ci or monitoring'],
    ['an API', {}, { ARGOS_API_BASE_URL: 'ftp://x' }, {}, 'ARGOS_API_BASE_URL is not an http or https URL'],
  ])('names the place of what makes no sense: %s', async (_case, flags, env, files, message) => {
    await expect(settingsOf(flags, env, files)).rejects.toThrow(message);
  });
});
