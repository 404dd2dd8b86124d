import type { StandardSchemaV1 } from '@standard-schema/spec';
import { map, type Observable, of } from 'rxjs';
import { counted } from './printable.js';
import { BodyError } from './errors/BodyError.js';
import { whenKnown } from './Eventually.js';
import { isObject } from './guards.js';
import type { RequestSummary } from './RequestSummary.js';
import { requireThat } from './requireThat.js';

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

/**
 * Refuses what is no schema.
 *
 * @throws UsageError
 */
export function requireSchema(schema: unknown, place: string | (() => string)): void {
  // Schemas of arktype are functions.
  const { '~standard': standard } = Object(schema) as { readonly '~standard'?: { readonly validate?: unknown } };
  const known = schema === undefined || typeof standard?.validate === 'function';
  requireThat(known, place, 'schema', schema, 'a schema by the Standard Schema, of zod, valibot or arktype say');
}
