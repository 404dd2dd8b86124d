import { UsageError } from '../../request/errors/UsageError.js';

/** Class `Response` of the platform. @throws UsageError where the test environment has none, as Jest's jsdom */
export function platformResponse(): typeof Response {
  const { Response: found } = globalThis as { readonly Response?: typeof Response };
  if (found !== undefined) return found;
  throw new UsageError(
    'coldfetch/testing needs the Response of the platform, which this test environment lacks (jsdom in Jest does): begin the spec with /** @jest-environment node */, or use an environment that passes it on, such as jest-fixed-jsdom',
  );
}
