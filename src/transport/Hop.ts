/** One hop of a request: the parts that change when it is redirected. */
export interface Hop {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: boolean;
  readonly count: number;
}
