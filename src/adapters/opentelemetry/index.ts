/**
 * Spans for a client's attempts. Needs `@opentelemetry/api` 1.7 or later.
 *
 * @packageDocumentation
 */
export { tracing, type Tracing, type TracingOptions } from './tracing.js';
