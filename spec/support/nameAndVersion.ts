/** Name and version or range of a package, `@angular/core@^22.0.0`. */
export function nameAndVersion(text: string): [name: string, version: string] {
  const at = text.lastIndexOf('@');
  return [text.slice(0, at), text.slice(at + 1)];
}
