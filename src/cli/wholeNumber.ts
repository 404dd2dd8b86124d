import { InvalidArgumentError } from 'commander';

/** An option's whole number from 1 on, for commander. The function that it makes throws InvalidArgumentError for what is none. */
export function wholeNumber(most = Infinity): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[1-9]\d{0,14}$/.test(text) || value > most) {
      throw new InvalidArgumentError(most < Infinity ? `Give a whole number from 1 to ${most}.` : 'Give a whole number above 0.');
    }
    return value;
  };
}
