import { EMPTY, lastValueFrom, type Observable } from 'rxjs';
import { createClient } from '../../client/createClient.js';
import { BUILD_API } from '../../node/buildClient.js';
import type { Screenshot } from '../../node/Screenshot.js';
import { buildTarget } from '../../node/upload/build/buildTarget.js';
import { completeBuildBodies } from '../../node/upload/build/completeBuild.js';
import { createBuildBody, shardOf, skippedBuildBody } from '../../node/upload/build/createBuildBody.js';
import { resolveBuildOptions } from '../../node/upload/build/resolveBuildOptions.js';
import { uploadTo } from '../../node/uploadTo.js';
import type { UploadPart } from '../../node/UploadTarget.js';
import { counted } from '../../request/printable.js';
import { type Output, writeJson, writeLine } from '../Io.js';
import { formatBytes } from '../report/formatBytes.js';
import { type BuildFacts, buildOptions } from './BuildFacts.js';
import type { Sourced } from './settings/Setting.js';

/** Options of {@link dryRun}. */
export interface DryRunOptions {
  readonly files: Observable<Screenshot>;
  readonly facts: BuildFacts;
  /** Place of the token; its value is not shown. */
  readonly token: string;
  /** True if the output is JSON, bodies of requests included. */
  readonly json: boolean;
}

const DEFAULTS: Readonly<Record<string, unknown>> = { api: BUILD_API, mode: 'ci', concurrency: 10 };

/**
 * Prints all that an upload would send, and the place that each value comes from; sends nothing. Files are inspected and read as for an
 * upload.
 */
export async function dryRun({ files, facts, token, json }: DryRunOptions, stdout: Output): Promise<void> {
  const options = resolveBuildOptions(buildOptions(facts));
  const parts: UploadPart[] = [];
  const prepare = (part: UploadPart): Observable<never> => {
    parts.push(part);
    return EMPTY;
  };
  const isSkipped = facts.skipped?.value === true;
  if (!isSkipped) await lastValueFrom(uploadTo({ ...buildTarget(createClient(), options), prepare }, files, options));

  const settings: Record<string, Sourced<unknown>> = { token: { value: '(not shown)', from: token } };
  for (const [name, value] of Object.entries(DEFAULTS)) settings[name] = { value, from: 'default' };
  for (const [name, found] of Object.entries(facts) as [string, Sourced<unknown> | undefined][]) if (found) settings[name] = found;
  const requests = [
    ...(isSkipped ? [{ method: 'POST', path: 'builds', body: skippedBuildBody(options) }] : []),
    ...parts.map((part) => ({ method: 'POST', path: 'builds', body: createBuildBody(options, part, shardOf(options, part)) })),
    ...parts.flatMap((part) => completeBuildBodies(options, part).map((body) => ({ method: 'PUT', path: 'builds/{id}', body }))),
  ];
  const sent = parts.flatMap((part) => part.files);
  if (json) {
    writeJson(stdout, {
      dryRun: true,
      settings,
      files: sent.map(({ path, stamp, ...file }) => ({ path, bytes: stamp.bytes, ...file })),
      requests,
    });
    return;
  }
  writeLine(stdout, 'Dry run: nothing is sent');
  for (const [name, { value, from }] of Object.entries(settings)) writeLine(stdout, `${name}: ${shown(value)} (${from})`);
  for (const { name, stamp, contentType, key, threshold, metadata, baseName, parentName } of sent) {
    const details = Object.entries({ threshold, metadata, baseName, parentName }).filter(([, value]) => value !== undefined);
    const more = details.map(([field, value]) => `, ${field} ${shown(value)}`).join('');
    writeLine(stdout, `${name}: ${formatBytes(stamp.bytes)}, ${contentType}, SHA-256 ${key}${more}`);
  }
  const images = parts.flatMap((part) => part.images);
  const bytes = images.reduce((sum, { stamp }) => sum + stamp.bytes, 0);
  writeLine(
    stdout,
    `${counted(sent.length, 'file')}: at most ${counted(images.length, 'image')} to send (${formatBytes(bytes)}), ${counted(requests.length, 'request')} to the API`,
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
