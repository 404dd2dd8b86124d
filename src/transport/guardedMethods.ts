import { bodyControl } from './bodyControl.js';
import { GuardedBody } from './GuardedBody.js';
import { decodeText } from './readBody.js';

/** Results of the methods that read a body as a whole. */
const OF_BYTES: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  json: (bytes) => JSON.parse(decodeText(bytes)) as unknown,
  text: decodeText,
  arrayBuffer: (bytes) => bytes.slice().buffer,
  bytes: (bytes) => bytes.slice(),
};

/** Methods that are called seldom: a copy around the guarded stream has them. */
const OF_COPY = ['blob', 'formData', 'clone'] as const;

/** Guarded methods, by those of the platform, which a polyfill may install late. */
const made = new WeakMap<Response, Response>();

/** True if a response has the methods of the platform, and accepts others. */
export function isPristine(response: Response): boolean {
  const isPlain = Object.getPrototypeOf(response) === Response.prototype && Object.isExtensible(response);
  return isPlain && Object.getOwnPropertyNames(response).length === 0;
}

/**
 * Prototype of a response whose {@link GuardedBody} is its body control. The response stays the very object that `fetch` gave, since a copy
 * around a stream costs more than all other work for a request (measured): the copy is made when the stream is asked for.
 */
export function guardedMethods(): Response {
  const methods = made.get(Response.prototype) ?? makeMethods(Response.prototype);
  made.set(Response.prototype, methods);
  return methods;
}

function makeMethods(platform: Response): Response {
  const methods = Object.create(platform) as Response;
  const define = (name: string, value: (this: Response) => unknown): void => {
    Object.defineProperty(methods, name, { value, configurable: true, writable: true });
  };
  for (const [name, convert] of Object.entries(OF_BYTES)) {
    const read: unknown = Reflect.get(platform, name);
    // The method `bytes` is missing in Node 20.
    if (typeof read !== 'function') continue;
    define(name, function () {
      const guard = guardOf(this);
      return guard?.bytes()?.then(convert) ?? Reflect.apply(read, guard?.copied ?? this, []);
    });
  }
  for (const name of OF_COPY) {
    const read = platform[name];
    define(name, function () {
      const copy = guardOf(this)?.copy();
      return copy ? copy[name]() : Reflect.apply(read, this, []);
    });
  }
  const getters: PropertyDescriptorMap & ThisType<Response> = {
    body: {
      get() {
        const copy = guardOf(this)?.copy();
        return copy ? copy.body : Reflect.get(platform, 'body', this);
      },
    },
    bodyUsed: {
      get() {
        return guardOf(this)?.copied?.bodyUsed ?? Reflect.get(platform, 'bodyUsed', this);
      },
    },
  };
  return Object.defineProperties(methods, getters);
}

function guardOf(response: Response): GuardedBody | undefined {
  const control = bodyControl(response);
  return control instanceof GuardedBody ? control : undefined;
}
