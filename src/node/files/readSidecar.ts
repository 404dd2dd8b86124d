import { readFile } from 'node:fs/promises';
import { UsageError } from '../../request/errors/UsageError.js';
import type { Screenshot } from '../Screenshot.js';
import { fileProblem } from './fileErrors.js';
import { isRecord, jsonObject } from './jsonObject.js';

/** End of a side-car file's name, behind the whole name of its image. */
export const SIDECAR = '.argos.json';

/** Fields of a screenshot that a side-car file may hold. */
export type SidecarFields = Pick<Screenshot, 'metadata' | 'threshold' | 'baseName' | 'parentName'>;

/**
 * Reads a side-car file: the metadata of an image, as the SDKs of test frameworks write it. Facts for the upload alone are in `transient`.
 *
 *     { "url": "https://app.example/", "viewport": { "width": 1280 }, "transient": { "threshold": 0.2, "baseName": "home" } }
 *
 * @throws UsageError that names the file for what is no such JSON
 */
export async function readSidecar(path: string): Promise<SidecarFields> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fileProblem(path, cause);
  });
  const { transient, ...metadata } = jsonObject(text, path);
  const { threshold, baseName, parentName } = isRecord(transient) ? transient : {};
  const wrong = (field: string, remedy: string): UsageError => new UsageError(`${path}: transient.${field} is no ${remedy}`);
  if (!isNothing(threshold) && !(typeof threshold === 'number' && threshold >= 0 && threshold <= 1))
    throw wrong('threshold', 'number from 0 to 1');
  if (!isNothing(baseName) && !isText(baseName) && !(Array.isArray(baseName) && baseName.every(isText)))
    throw wrong('baseName', 'name, nor a list of names');
  if (!isNothing(parentName) && !isText(parentName)) throw wrong('parentName', 'name');
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(!isNothing(threshold) && { threshold }),
    ...(!isNothing(baseName) && { baseName }),
    ...(!isNothing(parentName) && { parentName }),
  };
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
