/** A number of things, for a message: `1 request`, `2 requests`. */
export function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
