import { describe, expect, it } from 'vitest';
import { itemsOf } from '../../../src/cli/get/rawJson.js';
import { isBodyError } from '../../../src/request/errors/BodyError.js';
import { failureOf } from '../../support/failureOf.js';

describe('itemsOf', () => {
  it.each<[string, string, string | undefined, string[]]>([
    ['a list', '[1, "a,b", {"a": [1, 2]}]', undefined, ['1', '"a,b"', '{"a":[1,2]}']],
    ['the only list among the fields', '{"total": 2, "users": [1, 2], "next": null}', undefined, ['1', '2']],
    ['the list that is named', '{"users": [1], "groups": [2]}', 'groups', ['2']],
    ['a list whose name is written with escapes', '{"gr\\u006fups": [2], "a": [1]}', 'groups', ['2']],
    ['the last of two fields of one name, as JSON.parse does', '{"users": [1], "users": [2]}', 'users', ['2']],
    ['an empty list', '{"users": [ ]}', undefined, []],
    ['a body without content', '', undefined, []],
  ])('takes them from %s', (_, body, field, items) => {
    expect(itemsOf(body, field)).toEqual(items);
  });

  it('gives them as they were written, each digit of them, in one line', () => {
    expect(itemsOf('[\n  { "id": 12345678901234567890, "price": 1.0,\n "text": "a \\" ]  b" },\n  1e400\n]')).toEqual([
      '{"id":12345678901234567890,"price":1.0,"text":"a \\" ]  b"}',
      '1e400',
    ]);
  });

  it('reads long strings and deep lists', () => {
    const long = JSON.stringify('\\" x'.repeat(2_000_000));
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    expect(itemsOf(`[${long},${deep}]`)).toEqual([long, deep]);
  });

  it.each([
    ['{"total": 2}', undefined, 'No list of items alone in the body of the page: there is none; name one by --items'],
    ['{"a": [], "b": []}', undefined, 'No list of items alone in the body of the page: there are lists in a, b; name one by --items'],
    ['{"a": []}', 'b', "No list of items in 'b' of the page: there are lists in a; name one by --items"],
    ['7', undefined, 'No list of items alone in the body of the page: there is none; name one by --items'],
    ['oops', undefined, "The body is not JSON (4 characters); ask for responseType 'text' to see it"],
    ['<html>', undefined, 'The body is an HTML page, not JSON: a login or a proxy may have answered; check the URL and the credentials'],
  ])('says what is wrong with %s', (body, field, message) => {
    const error = failureOf(() => itemsOf(body, field));
    expect([isBodyError(error), error.message]).toEqual([true, message]);
  });
});
