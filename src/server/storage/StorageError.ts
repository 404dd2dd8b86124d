/** An error response in the XML of object storage. */
export class StorageError extends Error {
  constructor(
    readonly status: number,
    /** Code of the error: `EntityTooLarge`, `AccessDenied`, ... */
    readonly code: string,
    message: string,
    /** Further elements, such as `MaxSizeAllowed`. */
    readonly details: Readonly<Record<string, string | number>> = {},
  ) {
    super(message);
    this.name = 'StorageError';
  }

  /** The response's body. */
  toXml(): string {
    const elements: Readonly<Record<string, string | number>> = { Code: this.code, Message: this.message, ...this.details };
    const inner = Object.entries(elements)
      .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
      .join('');
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner}</Error>`;
  }
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
