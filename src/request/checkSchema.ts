import type { StandardSchemaV1 } from '@standard-schema/spec';
import { map, type Observable, of } from 'rxjs';
import { counted } from './printable.js';
import { isFunction, type OptionRule } from './checkOptions.js';
import { BodyError } from './errors/BodyError.js';
import { whenKnown } from './MaybeAsync.js';
import { isObject } from './guards.js';
import type { RequestSummary } from './RequestSummary.js';

/** A value as a schema gives it back, checked and transformed. Most schemas answer at once. */
export function checkSchema<S extends StandardSchemaV1>(
  schema: S,
  value: unknown,
  { name, request }: { readonly name: string; readonly request?: RequestSummary | undefined },
): Observable<StandardSchemaV1.InferOutput<S>> {
  return whenKnown(schema['~standard'].validate(value), 'schema', (result) => of(result)).pipe(
    map((result) => {
      if (!result.issues) return result.value;
      const [first] = result.issues;
      const at = first?.path?.length ? `, the first at ${first.path.map(segment).join('.')}` : '';
      const problem = `${name} does not match its schema: ${counted(result.issues.length, 'issue')}${at}; see its issues`;
      throw new BodyError(problem, { issues: result.issues, request });
    }),
  );
}

function segment(step: PropertyKey | StandardSchemaV1.PathSegment): string {
  return String(isObject(step) ? step.key : step);
}

/** Rule of an option that is a schema. */
export const SCHEMA: OptionRule = [
  // Schemas of arktype are functions.
  (value) => isFunction((Object(value) as { readonly '~standard'?: { readonly validate?: unknown } })['~standard']?.validate),
  'a schema by the Standard Schema, of zod, valibot or arktype say',
];
