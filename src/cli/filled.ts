import { InvalidArgumentError } from 'commander';

/** Parser of an option's text that must not be blank, for commander. The function that it makes throws InvalidArgumentError for a blank one. */
export function filled(kind: string): (text: string) => string {
  return (text) => {
    if (text.trim() === '') throw new InvalidArgumentError(`Give ${kind}.`);
    return text;
  };
}
