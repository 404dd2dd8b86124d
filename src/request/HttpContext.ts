/**
 * A typed key for a value that travels with a request, so that interceptors need no side door.
 *
 * @example
 * const PRIORITY = new HttpContextToken('priority', () => 'interactive');
 * const request = new HttpRequest('GET', url).clone({ context: HttpContext.of(PRIORITY, 'background') });
 * request.context.get(PRIORITY); // 'background'
 */
export class HttpContextToken<T> {
  /**
   * @param name text for debuggers; it need not be unique, the token itself is the key
   * @param defaultValue makes the value that `get` returns where none was set; called on every such `get`
   */
  constructor(
    readonly name: string,
    readonly defaultValue: () => T,
  ) {}
}

/** The values of a request's tokens. Immutable: `set` and `delete` give a new context. */
export class HttpContext {
  /** A context without values. */
  static readonly empty = new HttpContext(new Map());

  readonly #values: ReadonlyMap<HttpContextToken<unknown>, unknown>;

  private constructor(values: ReadonlyMap<HttpContextToken<unknown>, unknown>) {
    this.#values = values;
  }

  /** A context with one value. */
  static of<T>(token: HttpContextToken<T>, value: T): HttpContext {
    return HttpContext.empty.set(token, value);
  }

  /** The token's value, or its default. */
  get<T>(token: HttpContextToken<T>): T {
    // The map holds under each token only values that `set` was given for that token.
    return this.#values.has(token) ? (this.#values.get(token) as T) : token.defaultValue();
  }

  /** True if a value was set. */
  has(token: HttpContextToken<unknown>): boolean {
    return this.#values.has(token);
  }

  /** A context that has `value` under `token`. */
  set<T>(token: HttpContextToken<T>, value: T): HttpContext {
    return new HttpContext(new Map(this.#values).set(token, value));
  }

  /** A context without a value under `token`. */
  delete(token: HttpContextToken<unknown>): HttpContext {
    const values = new Map(this.#values);
    values.delete(token);
    return new HttpContext(values);
  }
}
