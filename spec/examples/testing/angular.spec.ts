import { angular } from '../../adapters/angular/support.js';
import { HttpTestingController, provideHttpClientTesting } from '@angular/common/http/testing';
import { timer } from 'rxjs';
import { it } from 'vitest';
import { policies } from 'coldfetch';
import { retryAfterInterceptor } from 'coldfetch/angular';
import { marbles } from 'coldfetch/testing';

it('waits for Retry-After, then asks again', () =>
  marbles(({ expect$ }) => {
    const { http, injector } = angular(retryAfterInterceptor(policies.api), provideHttpClientTesting());
    const backend = injector.get(HttpTestingController);
    const busy = { status: 429, statusText: 'Too Many Requests', headers: { 'retry-after': '3' } };

    timer(5).subscribe(() => backend.expectOne('/orders').flush(null, busy));
    timer(5 + 3000 + 5).subscribe(() => backend.expectOne('/orders').flush([{ id: 1 }]));

    expect$(http.get('/orders')).toBeMarbles('5ms 3s 5ms (a|)', { a: [{ id: 1 }] });
  }));
