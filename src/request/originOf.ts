/** The origin of an absolute URL; undefined for what is none: a relative one has the origin of the place that sends it. */
export function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}
