import type { HttpEvent } from 'coldfetch';
import { type PreparedUpload, type UploadBuildEvent, type UploadPart, type UploadTarget, uploadTo } from 'coldfetch/node';
import { EMPTY, type Observable, of } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

describe('the types of a target', () => {
  it('follow from its permits, without a type argument', () => {
    const target: UploadTarget<URL> = {
      addressing: 'name',
      prepare: (part) => {
        expectTypeOf(part).toEqualTypeOf<UploadPart>();
        return of({ type: 'prepared', build: { id: '', url: '' }, permits: new Map([['a.png', new URL('https://host/')]]) });
      },
      send: (_file, permit) => {
        expectTypeOf(permit).toEqualTypeOf<URL>();
        return EMPTY;
      },
      complete: () => EMPTY,
    };
    expectTypeOf(target.prepare).returns.toEqualTypeOf<Observable<HttpEvent | PreparedUpload<URL>>>();
    expectTypeOf(uploadTo(target, [])).toEqualTypeOf<Observable<UploadBuildEvent>>();
  });
});
