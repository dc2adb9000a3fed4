// Control characters, line separators, direction marks and overrides, and halves of surrogate pairs.
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** A text from anywhere as one line that cannot steer a terminal. */
export function printable(text: string): string {
  return text.replace(unprintable, '\uFFFD');
}

/** A value as one line of JSON that cannot steer a terminal either: what JSON leaves raw is escaped. */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(unprintable, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
