import { InvalidArgumentError } from 'commander';

/** Parser of an option's whole number, for commander. The function that it makes throws InvalidArgumentError for any other text. */
export function wholeNumber(most = Infinity, least = 1): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^(0|[1-9]\d{0,14})$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(
        most < Infinity ? `Give a whole number from ${least} to ${most}.` : `Give a whole number above ${least - 1}.`,
      );
    }
    return value;
  };
}
