import { debounceTime, distinctUntilChanged, switchMap } from 'rxjs';
import { it } from 'vitest';
import { marbles } from 'coldfetch/testing';

it('searches when the typing pauses, and forgets the search before', () =>
  marbles(({ hot, cold, expect$ }) => {
    const typed = hot('   a-b 300ms - 100ms c 300ms -', { a: 'r', b: 'rx', c: 'rxjs' });
    const search = cold(' 200ms (r|)');

    const found = typed.pipe(
      debounceTime(300),
      distinctUntilChanged(),
      switchMap(() => search),
    );

    expect$(found).toBeMarbles('302ms 200ms r 401ms r');
    expect$(search).toHaveSubscriptions(['302ms ^ 199ms !', '704ms ^ 199ms !']);
  }));
