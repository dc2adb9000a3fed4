// Line breaks would start a header or hide a link, direction marks make text read as something else.
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Text of others as one line of plain characters. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(invisible, ' ').replace(/ +/g, ' ').trim();
}

/** At most so many characters, a cut marked as such. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('').trimEnd()}…`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapedHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
